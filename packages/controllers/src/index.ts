export { type BuiltinOptions, builtinControllers } from "./builtins.ts";
export type {
  CertificateSigner,
  RequestedIdentity,
} from "./certificates/certificatesigningrequest/signer.ts";
export { createDefaultStorageClass } from "./core/persistentvolumeclaim/default-class.ts";
