import { forbidden, type StatusError } from "@binnacle/apimachinery";
import type { AdmissionAttributes } from "@binnacle/apiserver";

/**
 * A 403 about the object of a request; before a name is generated, about what it will start with.
 *
 * Source: kubernetes v1.36 apiserver/pkg/admission/errors.go, extractResourceName.
 */
export function refusal(attributes: AdmissionAttributes, why: string): StatusError {
  const { name, generateName } = attributes.object?.metadata ?? {};
  const given = [attributes.name, name, generateName].find((each) => each !== undefined && each !== "");
  return forbidden(attributes.served, given ?? "Unknown", why);
}
