import type { Pod } from "@binnacle/api";
import { describe, expect, it } from "vitest";
import { referredResource } from "./pod-references.ts";

const podOf = (spec: object): Pod =>
  ({ metadata: {}, spec: { containers: [{ name: "c" }], ...spec } }) as Pod;
const volume = (source: object): object => ({ volumes: [{ name: "v", ...source }] });
const projected = (source: object): object => volume({ projected: { sources: [source] } });

describe("referredResource", () => {
  it.each<[string, object, string | undefined]>([
    ["nothing", { ...volume({ emptyDir: {} }), hostNetwork: true }, undefined],
    ["its own fields", projected({ downwardAPI: { items: [] } }), undefined],
    ["an account", { serviceAccountName: "a" }, "serviceaccounts"],
    ["a pull secret", { imagePullSecrets: [{ name: "s" }] }, "secrets"],
    [
      "a secret in a variable",
      { containers: [{ name: "c", env: [{ name: "E", valueFrom: { secretKeyRef: {} } }] }] },
      "secrets",
    ],
    [
      "a secret of an init container",
      { initContainers: [{ name: "i", envFrom: [{ secretRef: {} }] }] },
      "secrets",
    ],
    ["a secret volume", volume({ secret: {} }), "secrets"],
    ["a projected secret", projected({ secret: {} }), "secrets"],
    ["a volume that needs a secret", volume({ rbd: { secretRef: {} } }), "secrets"],
    [
      "a config map in variables",
      { containers: [{ name: "c", envFrom: [{ configMapRef: {} }] }] },
      "configmaps",
    ],
    ["a config map volume", volume({ configMap: {} }), "configmaps"],
    ["devices", { resourceClaims: [{ name: "r" }] }, "resourceclaims"],
    ["a claim", volume({ persistentVolumeClaim: {} }), "persistentvolumeclaims"],
    ["a claim of its own", volume({ ephemeral: {} }), "persistentvolumeclaims (via ephemeral volumes)"],
    ["a driver", volume({ csi: {} }), "csidrivers (via CSI volumes)"],
    ["a token", projected({ serviceAccountToken: {} }), "serviceaccounts (via projected volumes)"],
    ["trust", projected({ clusterTrustBundle: {} }), "clustertrustbundles"],
  ])("%s", (_title, spec, expected) => {
    expect(referredResource(podOf(spec))).toBe(expected);
  });
});
