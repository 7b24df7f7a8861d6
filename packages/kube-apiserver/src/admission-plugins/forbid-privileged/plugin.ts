import type { Pod } from "@binnacle/api";
import { forbiddenField, invalidObject } from "@binnacle/apimachinery";
import type { AdmissionPlugin } from "@binnacle/apiserver";

/**
 * What `--allow-privileged=false` asks for.
 *
 * Differs from upstream, where pod validation itself knows the flag: rooms know no settings, so it is checked here.
 * Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateSecurityContext.
 */
export const forbidPrivileged: AdmissionPlugin = {
  name: "ForbidPrivileged",
  operations: ["CREATE"],
  validate({ served, subresource, object, name }) {
    if (served.group !== "" || served.resource !== "pods" || subresource !== "" || object === undefined)
      return;
    const { spec } = object as unknown as Pod; // Decoded as a Pod.
    const errors = (["initContainers", "containers"] as const).flatMap((list) =>
      (spec[list] ?? []).flatMap((container, i) =>
        container.securityContext?.privileged === true
          ? [forbiddenField(`spec.${list}[${i}].securityContext.privileged`, "disallowed by cluster policy")]
          : [],
      ),
    );
    if (errors.length > 0) throw invalidObject({ group: "", kind: "Pod" }, name, errors);
  },
};
