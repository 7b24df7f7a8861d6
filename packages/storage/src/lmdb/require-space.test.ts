import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openLmdbStorage } from "./lmdb-storage.ts";
import { requireSpace } from "./require-space.ts";

it("lets a small write pass, and refuses what the disk cannot hold", async () => {
  const directory = await mkdtemp(join(tmpdir(), "binnacle-space-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  requireSpace(directory, 1_000);
  expect(() => requireSpace(directory, Number.MAX_SAFE_INTEGER / 4)).toThrow(
    /^ENOSPC: no space left on device/,
  );
});

it("fails a write that is too large for the disk and keeps what is stored", async () => {
  const directory = await mkdtemp(join(tmpdir(), "binnacle-space-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const storage = await openLmdbStorage({ directory });
  onTestFinished(() => storage.stop());
  const put = (key: string, value: Uint8Array) =>
    storage.commit([{ key, kind: "put", encode: () => ({ value }) }]);
  await put("/small", Buffer.from("a"));
  const endless = new Proxy(Buffer.from("b"), {
    get: (target, name) => (name === "length" ? 2 ** 50 : Reflect.get(target, name)),
  });
  await expect(put("/large", endless)).rejects.toThrow("the write could not be made durable");
  await put("/after", Buffer.from("c"));
  expect(storage.range({ prefix: "/" }).entries.map(({ key }) => key)).toEqual(["/after", "/small"]);
});
