import type { Namespace } from "@binnacle/api";
import { forbidden, notFound } from "@binnacle/apimachinery";
import type { AdmissionAttributes, AdmissionPlugin, ApiServerCore } from "@binnacle/apiserver";
import { findObject } from "../lookup.ts";

const NAMESPACES = { group: "", resource: "namespaces" };
/** Source: kubernetes v1.36 apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go. */
const IMMORTAL: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);
/** Reviews tell the truth about namespaces that do not exist, too. */
const EXEMPT_GROUP = "authorization.k8s.io";

/** Nothing is created in a namespace that does not exist or is going away, and some namespaces never go away. */
export const namespaceLifecycle: AdmissionPlugin = {
  name: "NamespaceLifecycle",
  operations: ["CREATE", "UPDATE", "DELETE"],
  mutate: check,
  validate: (attributes, core) => (attributes.operation === "DELETE" ? check(attributes, core) : undefined),
};

function check(attributes: AdmissionAttributes, core: ApiServerCore): void {
  const { operation, served, namespace, name } = attributes;
  if (operation === "DELETE") {
    if (served.group === "" && served.resource === "namespaces" && IMMORTAL.has(name)) {
      throw forbidden(NAMESPACES, name, "this namespace may not be deleted");
    }
    return;
  }
  if (operation !== "CREATE" || namespace === "" || served.group === EXEMPT_GROUP) return;
  const home = findObject<Namespace>(core, NAMESPACES, namespace);
  if (home === undefined) throw notFound(NAMESPACES, namespace);
  if (home.status?.phase !== "Terminating") return;
  const error = forbidden(
    served,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  error.status.details = {
    ...error.status.details,
    causes: [
      {
        reason: "NamespaceTerminating",
        message: `namespace ${namespace} is being terminated`,
        field: "metadata.namespace",
      },
    ],
  };
  throw error;
}
