import { setOwn } from "@binnacle/base";
import type { Secret } from "../../generated/core-v1.generated.ts";

/**
 * Fills the type, and moves `stringData` into `data`.
 *
 * Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_Secret; conversion.go, Convert_v1_Secret_To_core_Secret.
 */
export function setSecretDefaults(secret: Secret): void {
  secret.type ??= "Opaque";
  if (secret.stringData === undefined) return;
  secret.data ??= {};
  for (const [key, value] of Object.entries(secret.stringData)) {
    setOwn(secret.data, key, Buffer.from(value, "utf8").toString("base64"));
  }
  delete secret.stringData;
}
