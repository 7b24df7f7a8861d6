import {
  applyRule,
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  qualifiedName,
  required,
  tooLong,
  validateLabelSelector,
} from "@binnacle/apimachinery";
import type {
  ClusterTrustBundleProjection,
  KeyToPath,
  PodCertificateProjection,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from "../../generated/core-v1.generated.ts";
import { validateLocalNonReservedPath } from "./paths.ts";
import { validateDownwardFile, validateKeyToPath } from "./validate-volume-files.ts";

/**
 * The sources of a projected volume, which share one tree of files.
 *
 * Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateProjectionSources.
 */
export function validateProjected(sources: readonly VolumeProjection[], path: string): FieldError[] {
  const files = new Files(path);
  return sources.flatMap((source, i) => validateProjection(source, path, `${path}.sources[${i}]`, files));
}

/** The paths taken so far. */
class Files {
  readonly #taken = new Set<string>();
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** An error when the file exists; `shown` is what the message names. */
  add(file: string, shown: string): FieldError[] {
    if (this.#taken.has(file)) return [invalid(this.#path, shown, "conflicting duplicate paths")];
    this.#taken.add(file);
    return [];
  }
}

function validateProjection(
  source: VolumeProjection,
  volumePath: string,
  path: string,
  files: Files,
): FieldError[] {
  const errors: FieldError[] = [];
  const { secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source;
  if (secret !== undefined) errors.push(...validateKeys(secret, `${path}.secret`, files));
  if (configMap !== undefined) errors.push(...validateKeys(configMap, `${path}.configMap`, files));
  for (const file of downwardAPI?.items ?? []) {
    errors.push(...validateDownwardFile(file, `${path}.downwardAPI`));
    if (file.path) errors.push(...files.add(file.path, file.path));
  }
  if (serviceAccountToken !== undefined) {
    errors.push(...validateToken(serviceAccountToken, volumePath, `${path}.serviceAccountToken`));
  }
  if (clusterTrustBundle !== undefined) {
    const file = clusterTrustBundle.path ?? "";
    errors.push(
      ...validateTrustBundle(clusterTrustBundle, `${path}.clusterTrustBundle`),
      ...files.add(file, file),
    );
  }
  if (podCertificate !== undefined) {
    errors.push(...validateCertificate(podCertificate, `${path}.podCertificate`, files));
  }
  if (Object.keys(source).length > 1) {
    errors.push(forbiddenField(path, "may not specify more than 1 volume type per source"));
  }
  return errors;
}

function validateKeys(
  { name, items }: { name?: string; items?: KeyToPath[] },
  path: string,
  files: Files,
): FieldError[] {
  const errors = name ? [] : [required(`${path}.name`)];
  for (const [i, item] of (items ?? []).entries()) {
    errors.push(...validateKeyToPath(item, `${path}.items[${i}]`));
    if (item.path) errors.push(...files.add(item.path, name ?? ""));
  }
  return errors;
}

const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

function validateToken(
  { expirationSeconds = 0, path: file }: ServiceAccountTokenProjection,
  volumePath: string,
  path: string,
): FieldError[] {
  const at = `${path}.expirationSeconds`;
  const errors: FieldError[] = [];
  if (expirationSeconds < MIN_TOKEN_SECONDS) {
    errors.push(invalid(at, expirationSeconds, "may not specify a duration less than 10 minutes"));
  }
  if (expirationSeconds > MAX_TOKEN_SECONDS) {
    errors.push(invalid(at, expirationSeconds, "may not specify a duration larger than 2^32 seconds"));
  }
  // Upstream names the volume here, not the source.
  if (!file) errors.push(required(`${volumePath}.path`));
  else errors.push(...validateLocalNonReservedPath(file, `${volumePath}.path`));
  return errors;
}

function validateTrustBundle(bundle: ClusterTrustBundleProjection, path: string): FieldError[] {
  const { name, signerName, labelSelector, path: file } = bundle;
  const errors: FieldError[] = [];
  if (name !== undefined && signerName !== undefined) {
    errors.push(invalid(path, bundle, "only one of name and signerName may be used"));
  } else if (name !== undefined) {
    if (name === "") errors.push(required(`${path}.name`, "must be a valid object name"));
    // A name starts with that of its signer, if it has one: `example.com:signer:bundle`.
    for (const problem of dnsSubdomain(name.slice(name.lastIndexOf(":") + 1))) {
      errors.push(invalid(`${path}.name`, name, `not a valid clustertrustbundlename: ${problem}`));
    }
    if (labelSelector !== undefined) {
      const why = "labelSelector must be unset if name is specified";
      errors.push(invalid(`${path}.labelSelector`, labelSelector, why));
    }
  } else if (signerName !== undefined) {
    if (signerName === "") errors.push(required(`${path}.signerName`, "must be a valid signer name"));
    errors.push(...validateSignerName(signerName, `${path}.signerName`));
    errors.push(...validateLabelSelector(labelSelector, `${path}.labelSelector`));
  } else {
    errors.push(required(path, "either name or signerName must be specified"));
  }
  if (!file) errors.push(required(`${path}.path`));
  errors.push(...validateLocalNonReservedPath(file ?? "", `${path}.path`));
  return errors;
}

const KEY_TYPES: readonly string[] = ["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];
const DAY_SECONDS = 86_400;

function validateCertificate(
  certificate: PodCertificateProjection,
  path: string,
  files: Files,
): FieldError[] {
  const { signerName = "", keyType = "", maxExpirationSeconds, userAnnotations } = certificate;
  const errors = validateSignerName(signerName, `${path}.signerName`);
  for (const key of Object.keys(userAnnotations ?? {})) {
    errors.push(...applyRule(qualifiedName, key.toLowerCase(), `${path}.userAnnotations`));
  }
  if (!KEY_TYPES.includes(keyType)) errors.push(notSupported(`${path}.keyType`, keyType, KEY_TYPES));
  if (maxExpirationSeconds !== undefined) {
    const [domain = ""] = signerName.split("/", 1);
    const ours = domain === "kubernetes.io" || domain.endsWith(".kubernetes.io");
    const max = ours ? DAY_SECONDS : 91 * DAY_SECONDS;
    const at = `${path}.maxExpirationSeconds`;
    if (maxExpirationSeconds < 3600) {
      errors.push(invalid(at, maxExpirationSeconds, "if provided, maxExpirationSeconds must be >= 3600"));
    }
    if (maxExpirationSeconds > max) {
      errors.push(invalid(at, maxExpirationSeconds, `if provided, maxExpirationSeconds must be <= ${max}`));
    }
  }
  const names = ["credentialBundlePath", "keyPath", "certificateChainPath"] as const;
  for (const name of names) {
    const file = certificate[name];
    if (file) {
      errors.push(...validateLocalNonReservedPath(file, `${path}.${name}`), ...files.add(file, file));
    }
  }
  if (names.every((name) => !certificate[name])) {
    const why = "specify at least one of credentialBundlePath, keyPath, and certificateChainPath";
    errors.push(required(path, why));
  }
  return errors;
}

const MAX_DOMAIN = 253;
const MAX_SIGNER_NAME = 571;

/**
 * The name of a certificate signer: `example.com/name`, also wherever else it is named.
 *
 * Source: kubernetes v1.36 pkg/apis/core/validation/names.go, ValidateSignerName.
 */
export function validateSignerName(name: string, path: string): FieldError[] {
  if (name === "") return [required(path)];
  const segments = name.split("/");
  if (segments.length !== 2) {
    const why = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalid(path, name, why)];
  }
  const [domain = "", rest = ""] = segments;
  const errors = domain.length > MAX_DOMAIN ? [tooLong(path, MAX_DOMAIN)] : [];
  errors.push(...firstBadLabel(domain, dnsLabel, path));
  if (!domain.includes(".")) {
    errors.push(invalid(path, domain, "should be a domain with at least two segments separated by dots"));
  }
  errors.push(...firstBadLabel(rest, dnsSubdomain, path));
  if (name.length > MAX_SIGNER_NAME) errors.push(tooLong(path, MAX_SIGNER_NAME));
  return errors;
}

function firstBadLabel(segment: string, rule: (label: string) => string[], path: string): FieldError[] {
  for (const label of segment.split(".")) {
    const problems = rule(label);
    if (problems.length === 0) continue;
    return problems.map((problem) =>
      invalid(path, segment, `validating label ${JSON.stringify(label)}: ${problem}`),
    );
  }
  return [];
}
