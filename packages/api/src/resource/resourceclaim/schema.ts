import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "resource.v1": {
    AllocatedDeviceStatus: {
      conditions: "map(type)",
      shareID: "pointer",
    },
    AllocationResult: {
      devices: "value",
    },
    DeviceConstraint: {
      matchAttribute: "pointer",
      distinctAttribute: "pointer",
    },
    DeviceRequestAllocationResult: {
      adminAccess: "pointer",
      shareID: "pointer",
    },
    DeviceToleration: {
      tolerationSeconds: "pointer",
    },
    ExactDeviceRequest: {
      adminAccess: "pointer",
    },
    ResourceClaimSpec: {
      devices: "value",
    },
    ResourceClaimStatus: {
      devices: "map(driver,device,pool,shareID)",
      reservedFor: "map(uid) merge(uid)",
    },
  },
};
