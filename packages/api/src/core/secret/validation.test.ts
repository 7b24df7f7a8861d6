import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { Secret } from "../../generated/core-v1.generated.ts";
import { setSecretDefaults } from "./defaults.ts";
import { validateSecret, validateSecretUpdate, warningsForSecret } from "./validation.ts";

const metadata = { name: "a", namespace: "n" };

describe("setSecretDefaults", () => {
  it("moves text into data, where it wins", () => {
    const secret: Secret = { metadata, stringData: { k: "v" }, data: { k: "eA==", z: "eQ==" } };
    setSecretDefaults(secret);
    expect(secret).toEqual({ metadata, type: "Opaque", data: { k: "dg==", z: "eQ==" } });
  });
});

describe("validateSecret", () => {
  it.each<[string, Partial<Secret>, string]>([
    [
      "tls without key",
      { type: "kubernetes.io/tls", data: { "tls.crt": "" } },
      "data[tls.key]: Required value",
    ],
    [
      "dockerconfigjson that is no JSON",
      { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": "bm90IGpzb24=" } },
      "data[.dockerconfigjson]: Invalid value: \"<secret contents redacted>\": invalid character 'o' in literal null (expecting 'u')",
    ],
    [
      "dockerconfigjson without data",
      { type: "kubernetes.io/dockerconfigjson" },
      "data[.dockerconfigjson]: Required value",
    ],
    [
      "basic-auth without anything",
      { type: "kubernetes.io/basic-auth" },
      "[data[username]: Required value, data[password]: Required value]",
    ],
    ["ssh-auth without key", { type: "kubernetes.io/ssh-auth" }, "data[ssh-privatekey]: Required value"],
    [
      "a token without account",
      { type: "kubernetes.io/service-account-token" },
      "metadata.annotations[kubernetes.io/service-account.name]: Required value",
    ],
    ["any other type", { type: "custom/x" }, ""],
  ])("judges %s", (_what, secret, expected) => {
    const errors = validateSecret({ metadata, ...secret });
    expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
  });

  it("lets neither type nor immutable data change", () => {
    const old: Secret = { metadata, type: "Opaque", immutable: true, data: { a: "eA==" } };
    expect(formatFieldErrors(validateSecretUpdate({ ...old, type: "other" }, old))).toBe(
      'type: Invalid value: "other": field is immutable',
    );
    expect(formatFieldErrors(validateSecretUpdate({ metadata, type: "Opaque", data: {} }, old))).toBe(
      "[immutable: Forbidden: field is immutable when `immutable` is set, data: Forbidden: field is immutable when `immutable` is set]",
    );
  });

  it("warns of a certificate that is none", () => {
    expect(
      warningsForSecret({ metadata, type: "kubernetes.io/tls", data: { "tls.crt": "", "tls.key": "" } }),
    ).toEqual(["tls: failed to find any PEM data in certificate input"]);
  });
});
