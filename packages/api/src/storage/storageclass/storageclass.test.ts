import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { StorageClass } from "../../generated/storage-v1.generated.ts";
import { storageClasses } from "./index.ts";
import { validateStorageClass, validateStorageClassUpdate } from "./validation.ts";

function storageClass(change: Partial<StorageClass>): StorageClass {
  const object: StorageClass = { metadata: { name: "sc" }, provisioner: "x.io/y", ...change };
  storageClasses.defaults?.(object);
  return object;
}

describe("a storage class", () => {
  it.each<[Partial<StorageClass>, string]>([
    [{}, ""],
    [{ provisioner: "" }, "provisioner: Required value"],
    [
      { reclaimPolicy: "X", volumeBindingMode: "Y", parameters: { "": "x" } },
      '[parameters: Invalid value: "": field can not be empty., reclaimPolicy: Unsupported value: "X": supported values: "Delete", "Retain", volumeBindingMode: Unsupported value: "Y": supported values: "Immediate", "WaitForFirstConsumer"]',
    ],
  ])("with %j is judged", (change, expected) => {
    const errors = validateStorageClass(storageClass(change));
    expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
  });

  it("keeps how it makes volumes", () => {
    const updated = storageClass({ provisioner: "z.io/y", parameters: { a: "b" } });
    expect(formatFieldErrors(validateStorageClassUpdate(updated, storageClass({})))).toBe(
      '[parameters: Invalid value: {"a":"b"}: field is immutable, provisioner: Invalid value: "z.io/y": field is immutable]',
    );
    expect(
      validateStorageClassUpdate(storageClass({ allowVolumeExpansion: true }), storageClass({})),
    ).toEqual([]);
  });

  it("shows that it is the default", () => {
    const metadata = { name: "sc", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } };
    expect(storageClasses.columns?.[0]?.cell(storageClass({ metadata }), { nowMs: 0 })).toBe("sc (default)");
  });
});
