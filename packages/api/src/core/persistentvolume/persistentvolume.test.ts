import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { PersistentVolume, PersistentVolumeSpec } from "../../generated/core-v1.generated.ts";
import { setPersistentVolumeDefaults } from "./defaults.ts";
import { validatePersistentVolume, validatePersistentVolumeUpdate } from "./validation.ts";

function volume(spec: PersistentVolumeSpec): PersistentVolume {
  const object: PersistentVolume = { metadata: { name: "v" }, spec: structuredClone(spec) };
  setPersistentVolumeDefaults(object);
  return object;
}

const good: PersistentVolumeSpec = {
  capacity: { storage: "1Gi" },
  accessModes: ["ReadWriteOnce"],
  hostPath: { path: "/tmp/x" },
};

describe("a persistent volume", () => {
  it("is kept when released", () => {
    expect(volume(good).spec).toEqual({
      ...good,
      hostPath: { path: "/tmp/x", type: "" },
      persistentVolumeReclaimPolicy: "Retain",
      volumeMode: "Filesystem",
    });
  });

  // Texts as observed on a v1.36 API server.
  it.each<[PersistentVolumeSpec, string]>([
    [good, ""],
    [
      {
        ...good,
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In" }] }] },
        },
      },
      "spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
    [
      {},
      '[spec.accessModes: Required value, spec.capacity: Required value, spec.capacity: Unsupported value: null: supported values: "storage", spec: Required value: must specify a volume type]',
    ],
    [
      {
        capacity: { storage: "1Gi", cpu: "1" },
        accessModes: ["X"],
        hostPath: { path: "/" },
        nfs: { server: "s", path: "/p" },
        persistentVolumeReclaimPolicy: "Recycle",
      },
      '[spec.accessModes: Unsupported value: "X": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod", spec.capacity: Unsupported value: {"cpu":"1","storage":"1Gi"}: supported values: "storage", spec.nfs: Forbidden: may not specify more than 1 volume type, spec.persistentVolumeReclaimPolicy: Forbidden: may not be \'recycle\' for a hostPath mount of \'/\']',
    ],
  ])("with %j is judged", (spec, expected) => {
    const errors = validatePersistentVolume(volume(spec));
    expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
  });

  it("keeps its source", () => {
    const errors = validatePersistentVolumeUpdate(
      volume({ ...good, hostPath: { path: "/tmp/y" } }),
      volume(good),
    );
    expect(formatFieldErrors(errors)).toBe(
      'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n@@ -2,7 +2,7 @@\n  "GCEPersistentDisk": null,\n  "AWSElasticBlockStore": null,\n  "HostPath": {\n-  "Path": "/tmp/x",\n+  "Path": "/tmp/y",\n   "Type": ""\n  },\n  "Glusterfs": null,\n',
    );
  });
});
