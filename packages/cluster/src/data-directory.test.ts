import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { DataDirectory, DataDirectoryError, DirectoryInUseError } from "./data-directory.ts";

async function temporary(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "binnacle-data-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

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
  const pair = { certificate: "c", privateKey: "k" };
  const pki = { ca: pair, server: pair, admin: pair, serviceAccount: { privateKey: "sk", keyId: "id" } };
  await directory.writePki(pki);
  expect(await directory.readPki()).toEqual(pki);
  expect((await stat(join(directory.path, "pki/ca.key"))).mode & 0o777).toBe(0o600);
});

it("says in one sentence why a directory cannot be used", async () => {
  const file = join(await temporary(), "file");
  await writeFile(file, "");
  await expect(DataDirectory.open(join(file, "data"))).rejects.toThrow(DataDirectoryError);
  await expect(DataDirectory.open(join(file, "data"))).rejects.toThrow(
    "a part of the path is not a directory",
  );
});
