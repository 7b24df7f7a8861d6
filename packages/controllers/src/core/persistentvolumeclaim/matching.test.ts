import type { PersistentVolume, PersistentVolumeClaim } from "@binnacle/api";
import { describe, expect, it } from "vitest";
import { bestVolume, isMeantFor, misfit } from "./matching.ts";
import { provisionedVolume } from "./provision.ts";

function claim(spec: Partial<PersistentVolumeClaim["spec"]> = {}): PersistentVolumeClaim {
  return {
    metadata: { namespace: "n", name: "c", uid: "cu", resourceVersion: "7" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "m",
      resources: { requests: { storage: "3Gi" } },
      ...spec,
    },
  };
}

function volume(
  name: string,
  storage: string,
  spec: Partial<PersistentVolume["spec"]> = {},
  phase = "Available",
): PersistentVolume {
  return {
    metadata: { name, labels: { size: storage } },
    spec: { capacity: { storage }, accessModes: ["ReadWriteOnce"], storageClassName: "m", ...spec },
    status: { phase },
  };
}

describe("bestVolume", () => {
  const [small, mid, big] = [volume("small", "1Gi"), volume("mid", "5Gi"), volume("big", "9Gi")];
  const reserved = volume("reserved", "9Gi", { claimRef: { namespace: "n", name: "c" } }, "Available");

  it.each([
    ["the smallest that fits", [big, small, mid], claim(), "mid"],
    ["none when all are too small", [small], claim(), undefined],
    ["one that names the claim", [mid, reserved], claim(), "reserved"],
    [
      "none that names another claim",
      [volume("taken", "5Gi", { claimRef: { namespace: "n", name: "x" } })],
      claim(),
      undefined,
    ],
    ["none that is not free", [volume("released", "5Gi", {}, "Released")], claim(), undefined],
    [
      "one that the selector selects",
      [mid, big],
      claim({ selector: { matchLabels: { size: "9Gi" } } }),
      "big",
    ],
    ["none of another class", [volume("other", "5Gi", { storageClassName: "o" })], claim(), undefined],
    [
      "one with few modes before one with many",
      [volume("many", "4Gi", { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] }), big],
      claim(),
      "big",
    ],
  ])("takes %s", (_, volumes, wanted, name) => {
    expect(bestVolume(wanted, volumes)?.metadata.name).toBe(name);
  });
});

describe("misfit", () => {
  it.each([
    [claim(), volume("v", "1Gi"), "requested PV is too small"],
    [claim({ storageClassName: "" }), volume("v", "5Gi"), "storageClassName does not match"],
    [claim({ volumeMode: "Block" }), volume("v", "5Gi"), "incompatible volumeMode"],
    [claim({ accessModes: ["ReadWriteMany"] }), volume("v", "5Gi"), "incompatible accessMode"],
    [claim(), volume("v", "3072Mi"), undefined],
  ])("(%#) is %j", (wanted, offered, why) => {
    expect(misfit(wanted, offered)).toBe(why);
  });
});

describe("provisionedVolume", () => {
  it("is the claim's own and of the wanted size", () => {
    const made = provisionedVolume(claim(), {
      metadata: { name: "m" },
      provisioner: "binnacle.dev/simulated-volume",
    });
    expect(made).toMatchObject({
      metadata: { name: "pvc-cu" },
      spec: {
        capacity: { storage: "3Gi" },
        storageClassName: "m",
        persistentVolumeReclaimPolicy: "Delete",
        claimRef: { name: "c", uid: "cu" },
      },
    });
    expect(isMeantFor(made, claim())).toBe(true);
    expect(misfit(claim(), made)).toBeUndefined();
  });
});
