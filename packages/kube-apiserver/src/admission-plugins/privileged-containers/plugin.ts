import { type FieldError, forbiddenField, invalidObject } from "@binnacle/apimachinery";
import type { AdmissionPlugin } from "@binnacle/apiserver";

/** Where the pods of a kind are described, by `group/resource`. */
const POD_SPECS: Readonly<Record<string, string>> = {
  "/pods": "spec",
  "/podtemplates": "template.spec",
  "/replicationcontrollers": "spec.template.spec",
  "apps/deployments": "spec.template.spec",
  "apps/replicasets": "spec.template.spec",
  "apps/statefulsets": "spec.template.spec",
  "apps/daemonsets": "spec.template.spec",
  "batch/jobs": "spec.template.spec",
  "batch/cronjobs": "spec.jobTemplate.spec.template.spec",
};

/**
 * What `--allow-privileged=false` means: containers that ask to be privileged are invalid. It has no name that
 * `--disable-admission-plugins` knows, because upstream has it among the validations of a pod.
 *
 * Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateSecurityContext.
 */
export const privilegedContainers: AdmissionPlugin = {
  name: "",
  operations: ["CREATE", "UPDATE"],
  validate({ served, subresource, object, name }) {
    if (subresource !== "" || object === undefined) return;
    const path = POD_SPECS[`${served.group}/${served.resource}`];
    if (path === undefined) return;
    const errors = privilegedIn(valueAt(object, path), path);
    if (errors.length > 0)
      throw invalidObject({ group: served.group, kind: object.kind ?? "" }, name, errors);
  },
};

function privilegedIn(podSpec: unknown, path: string): FieldError[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) => {
    const containers = valueAt(podSpec, list);
    if (!Array.isArray(containers)) return [];
    return containers.flatMap((container: unknown, index) =>
      valueAt(container, "securityContext.privileged") === true
        ? [
            forbiddenField(
              `${path}.${list}[${index}].securityContext.privileged`,
              "disallowed by cluster policy",
            ),
          ]
        : [],
    );
  });
}

function valueAt(value: unknown, path: string): unknown {
  let current = value;
  for (const part of path.split(".")) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, part)) return undefined;
    current = (current as Record<string, unknown>)[part]; // An own property, checked above.
  }
  return current;
}
