import { describe, expect, it } from "vitest";
import { ADMISSION_PLUGINS, choosePlugins } from "./plugins.ts";

describe("admission plugins", () => {
  it("run in upstream's order", () => {
    expect(ADMISSION_PLUGINS.map(({ name }) => name)).toEqual([
      "NamespaceLifecycle",
      "LimitRanger",
      "ServiceAccount",
      "NodeRestriction",
      "TaintNodesByCondition",
      "PodSecurity",
      "Priority",
      "DefaultTolerationSeconds",
      "DefaultStorageClass",
      "StorageObjectInUseProtection",
      "PersistentVolumeClaimResize",
      "RuntimeClass",
      "CertificateApproval",
      "CertificateSigning",
      "CertificateSubjectRestriction",
      "DefaultIngressClass",
      "ResourceQuota",
    ]);
  });

  it("are all on but those that are turned off", () => {
    const on = choosePlugins({ enabled: ["NodeRestriction"], disabled: ["PodSecurity", "LimitRanger"] });
    expect(on).toEqual(
      ADMISSION_PLUGINS.filter(({ name }) => name !== "PodSecurity" && name !== "LimitRanger"),
    );
  });
});
