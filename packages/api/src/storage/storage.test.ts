import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type {
  CSIDriver,
  CSINode,
  VolumeAttachment,
  VolumeAttributesClass,
} from "../generated/storage-v1.generated.ts";
import { csiDrivers } from "./csidriver/index.ts";
import { csiNodes } from "./csinode/index.ts";
import { csiStorageCapacities } from "./csistoragecapacity/index.ts";
import { volumeAttachments } from "./volumeattachment/index.ts";
import { volumeAttributesClasses } from "./volumeattributesclass/index.ts";

const metadata = { name: "a" };

describe("a CSIDriver", () => {
  it("is filled in", () => {
    const driver: CSIDriver = { metadata, spec: {} };
    csiDrivers.defaults?.(driver);
    expect(driver.spec).toEqual({
      attachRequired: true,
      podInfoOnMount: false,
      volumeLifecycleModes: ["Persistent"],
      storageCapacity: false,
      fsGroupPolicy: "ReadWriteOnceWithFSType",
      requiresRepublish: false,
      seLinuxMount: false,
    });
    expect(csiDrivers.strategy.validate?.(driver)).toEqual([]);
  });

  it("keeps its modes", () => {
    const old: CSIDriver = { metadata, spec: {} };
    csiDrivers.defaults?.(old);
    const updated = { ...old, spec: { ...old.spec, volumeLifecycleModes: ["Ephemeral"] } };
    expect(csiDrivers.strategy.validateUpdate?.(updated, old)).toHaveLength(1);
  });
});

it("a CSINode lists each driver once", () => {
  const driver = { name: "d.x.io", nodeID: "n" };
  const node: CSINode = { metadata, spec: { drivers: [driver, driver] } };
  expect(formatFieldErrors(csiNodes.strategy.validate!(node))).toBe(
    'spec.drivers[1].name: Duplicate value: "d.x.io"',
  );
});

it("a VolumeAttachment keeps its spec and starts detached", () => {
  const attachment: VolumeAttachment = {
    metadata,
    spec: { attacher: "x.io", nodeName: "n", source: { persistentVolumeName: "p" } },
  };
  volumeAttachments.strategy.prepareForCreate?.(attachment, { nowMs: 0 });
  expect(attachment.status).toEqual({ attached: false });
  expect(volumeAttachments.strategy.validate?.(attachment)).toEqual([]);
  const updated = { ...attachment, spec: { ...attachment.spec, nodeName: "m" } };
  expect(volumeAttachments.strategy.validateUpdate?.(updated, attachment)).toHaveLength(1);
});

it("a VolumeAttributesClass keeps its parameters", () => {
  const old: VolumeAttributesClass = { metadata, driverName: "x.io", parameters: { a: "b" } };
  const errors = volumeAttributesClasses.strategy.validateUpdate!({ ...old, parameters: { a: "c" } }, old);
  expect(formatFieldErrors(errors)).toBe("parameters: Forbidden: updates to parameters are forbidden.");
});

it("a CSIStorageCapacity is not negative", () => {
  const errors = csiStorageCapacities.strategy.validate!({
    metadata,
    storageClassName: "sc",
    capacity: "-1",
  });
  expect(formatFieldErrors(errors)).toBe('capacity: Invalid value: "-1": must be greater than or equal to 0');
});
