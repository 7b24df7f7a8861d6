import {
  applyRule,
  dnsLabel1035,
  dnsSubdomain,
  type FieldError,
  invalid,
  portNumber,
  required,
} from "@binnacle/apimachinery";

const FORM = "; desired format: https://host[/path]";

interface ServiceReference {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
  readonly port?: number;
}

/** Where a webhook is: a URL or a service. Source: kubernetes v1.36 apiserver/pkg/util/webhook/validation.go. */
export function validateWebhookClient(
  { url, service }: { readonly url?: string; readonly service?: ServiceReference },
  path: string,
): FieldError[] {
  if ((url === undefined) === (service === undefined)) {
    return [required(path, "exactly one of url or service is required")];
  }
  if (url !== undefined) return validateWebhookUrl(url, `${path}.url`);
  return service === undefined ? [] : validateWebhookService(service, `${path}.service`);
}

/** Go's view of a URL, as far as the rules ask. */
const URL_PARTS =
  /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/(?:([^@/?#]*)@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/;

function validateWebhookUrl(url: string, path: string): FieldError[] {
  const parts = URL_PARTS.exec(url);
  if (parts === null)
    return [required(path, `url must be a valid URL: parse ${JSON.stringify(url)}: invalid URL${FORM}`)];
  const [, scheme = "", user, host = "", , query = "", fragment = ""] = parts;
  const errors: FieldError[] = [];
  if (scheme.toLowerCase() !== "https") {
    errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme${FORM}`));
  }
  if (host === "") errors.push(invalid(path, host, `host must be specified${FORM}`));
  if (user !== undefined) errors.push(invalid(path, user, "user information is not permitted in the URL"));
  if (fragment !== "") errors.push(invalid(path, fragment, "fragments are not permitted in the URL"));
  if (query !== "") errors.push(invalid(path, query, "query parameters are not permitted in the URL"));
  return errors;
}

function validateWebhookService({ namespace, name, path, port }: ServiceReference, at: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!name) errors.push(required(`${at}.name`, "service name is required"));
  if (!namespace) errors.push(required(`${at}.namespace`, "service namespace is required"));
  const number = port ?? 443;
  for (const problem of portNumber(number))
    errors.push(invalid(`${at}.port`, number, `port is not valid: ${problem}`));
  if (path === undefined || path === "/") return errors;
  if (!path.startsWith("/")) errors.push(invalid(`${at}.path`, path, "must start with a '/'"));
  const segments = path.replace(/^\//, "").replace(/\/$/, "").split("/");
  for (const [i, segment] of segments.entries()) {
    if (segment === "") {
      errors.push(invalid(`${at}.path`, path, `segment[${i}] may not be empty`));
      continue;
    }
    for (const problem of dnsSubdomain(segment)) {
      errors.push(invalid(`${at}.path`, path, `segment[${i}]: ${problem}`));
    }
  }
  return errors;
}

const REVIEW_VERSIONS = ["v1", "v1beta1"];

/** Source: kubernetes v1.36 pkg/apis/admissionregistration/validation/validation.go, validateAdmissionReviewVersions. */
export function validateReviewVersions(versions: readonly string[], path: string): FieldError[] {
  if (versions.length === 0) return [required(path, `must specify one of ${REVIEW_VERSIONS.join(", ")}`)];
  const errors = versions.flatMap((version, i) => applyRule(dnsLabel1035, version, `${path}[${i}]`));
  if (!versions.some((version) => REVIEW_VERSIONS.includes(version))) {
    errors.push(invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(", ")}`));
  }
  return errors;
}
