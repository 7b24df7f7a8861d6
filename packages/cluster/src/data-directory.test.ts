import { mkdir, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { DataDirectory, DataDirectoryError, DirectoryInUseError, runningOwner } from "./data-directory.ts";
import { isRunning, ownLock } from "./lock-owner.ts";

async function temporary(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "binnacle-data-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const pair = { certificate: "c", privateKey: "k" };
const pki = { ca: pair, server: pair, admin: pair, serviceAccount: { privateKey: "sk", keyId: "id" } };

const owner = { pid: process.pid, startedAt: "now" };

it("refuses a second owner and says who the first is", async () => {
  const directory = await DataDirectory.open(await temporary());
  await directory.lock(owner);
  await expect(directory.lock(owner)).rejects.toThrow(DirectoryInUseError);
  await expect(directory.lock(owner)).rejects.toThrow(`process ${process.pid}`);
});

it("takes over what a killed process left behind", async () => {
  const directory = await DataDirectory.open(await temporary());
  await directory.lock({ pid: 2 ** 22 + 1, startedAt: "long ago" }); // Beyond Linux's largest process number.
  const release = await directory.lock(owner);
  expect(await directory.readLock()).toEqual(owner);
  await release();
  expect(await directory.readLock()).toBeUndefined();
});

it("keeps keys readable by their owner only", async () => {
  const directory = await DataDirectory.open(await temporary());
  await directory.writePki(pki);
  expect(await directory.readPki()).toEqual(pki);
  expect((await stat(join(directory.path, "pki/ca.key"))).mode & 0o777).toBe(0o600);
});

it("does not take keys of which some are gone for a first start", async () => {
  const directory = await DataDirectory.open(await temporary());
  expect(await directory.readPki()).toBeUndefined();
  await directory.writePki(pki);
  await rm(join(directory.path, "pki/sa.id"));
  await expect(directory.readPki()).rejects.toThrow("sa.id is missing: restore it, or remove the folder");
});

it.each([
  ["before the new keys are complete", "pki.new", pki],
  ["between the old keys and the new", "pki.old", pki],
])("has the keys of before when it was killed %s", async (_title, leftover, expected) => {
  const directory = await DataDirectory.open(await temporary());
  await directory.writePki(pki);
  if (leftover === "pki.old") await rename(join(directory.path, "pki"), join(directory.path, "pki.old"));
  else await mkdir(join(directory.path, leftover));
  const again = await DataDirectory.open(directory.path);
  expect(await again.readPki()).toEqual(expected);
  await expect(stat(join(directory.path, leftover))).rejects.toThrow("ENOENT");
});

it("gives up where no folder can be made", async () => {
  await expect(DataDirectory.open("/proc/binnacle-test")).rejects.toThrow(DataDirectoryError);
});

it("says in one sentence why a directory cannot be used", async () => {
  const file = join(await temporary(), "file");
  await writeFile(file, "");
  await expect(DataDirectory.open(join(file, "data"))).rejects.toThrow(DataDirectoryError);
  await expect(DataDirectory.open(join(file, "data"))).rejects.toThrow(
    "a part of the path is not a directory",
  );
});

it("lets exactly one of several that find a stale lock at once have the directory", async () => {
  const path = await temporary();
  const directory = await DataDirectory.open(path);
  await directory.lock({ pid: 2 ** 22 + 1, startedAt: "long ago" });
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => directory.lock(ownLock(0))));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await runningOwner(path))?.pid).toBe(process.pid);
});

it("knows a process from a later one with the same number", () => {
  const own = ownLock(0);
  expect(isRunning(own)).toBe(true);
  if (own.processStart !== undefined)
    expect(isRunning({ ...own, processStart: "another boot:1" })).toBe(false);
});

it("finds nobody running where there is no directory", async () => {
  expect(await runningOwner(join(await temporary(), "none"))).toBeUndefined();
});
