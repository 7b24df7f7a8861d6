import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "../../generated/core-v1.generated.ts";
import { persistentVolumeClaims } from "./index.ts";
import { prepareClaimForCreate, setPersistentVolumeClaimDefaults } from "./strategy.ts";
import { validatePersistentVolumeClaim, validatePersistentVolumeClaimUpdate } from "./validation.ts";

function claim(spec: PersistentVolumeClaimSpec): PersistentVolumeClaim {
  const object: PersistentVolumeClaim = {
    metadata: { name: "c", namespace: "n" },
    spec: structuredClone(spec),
  };
  setPersistentVolumeClaimDefaults(object);
  prepareClaimForCreate(object);
  return object;
}

const good: PersistentVolumeClaimSpec = {
  accessModes: ["ReadWriteMany"],
  resources: { requests: { storage: "1Gi" } },
  storageClassName: "sc",
};

describe("a persistent volume claim", () => {
  it("has both forms of its data source", () => {
    const source = { kind: "PersistentVolumeClaim", name: "a" };
    expect(claim({ ...good, dataSource: source }).spec?.dataSourceRef).toEqual(source);
    expect(claim({ ...good, dataSourceRef: { ...source, namespace: "x" } }).spec?.dataSource).toEqual(source);
  });

  // Texts as observed on a v1.36 API server.
  it.each<[PersistentVolumeClaimSpec, string]>([
    [good, ""],
    [
      {},
      "[spec.accessModes: Required value: at least 1 access mode is required, spec.resources[storage]: Required value]",
    ],
    [
      { accessModes: ["RWO"], resources: { requests: { storage: "-1" } } },
      '[spec.accessModes: Unsupported value: "RWO": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod", spec.resources[storage]: Invalid value: "-1": must be greater than zero]',
    ],
  ])("with %j is judged", (spec, expected) => {
    const errors = validatePersistentVolumeClaim(claim(spec));
    expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
  });

  it("grows only once it is bound", () => {
    const larger = claim({ ...good, resources: { requests: { storage: "2Gi" } } });
    expect(formatFieldErrors(validatePersistentVolumeClaimUpdate(larger, claim(good)))).toBe(
      'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n@@ -6,7 +6,7 @@\n  "Resources": {\n   "Limits": null,\n   "Requests": {\n-   "storage": "1Gi"\n+   "storage": "2Gi"\n   }\n  },\n  "VolumeName": "",\n',
    );
    const bound = { ...claim(good), status: { phase: "Bound", capacity: { storage: "1Gi" } } };
    expect(validatePersistentVolumeClaimUpdate({ ...larger, status: bound.status }, bound)).toEqual([]);
  });

  it("is bound to a volume once", () => {
    const bound = claim({ ...good, volumeName: "pv" });
    expect(validatePersistentVolumeClaimUpdate(bound, claim(good))).toEqual([]);
    expect(validatePersistentVolumeClaimUpdate(claim({ ...good, volumeName: "other" }), bound)).toHaveLength(
      1,
    );
  });

  it("is printed", () => {
    const object = claim({ accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } });
    expect(persistentVolumeClaims.columns?.map((column) => column.cell(object, { nowMs: 0 }))).toEqual([
      "c",
      "Pending",
      "",
      "",
      "",
      "",
      "<unset>",
      "<unknown>",
      "Filesystem",
    ]);
  });
});
