import type { KubeObject, ResourceDefinition } from "@binnacle/apimachinery";
import { configMaps } from "./core/configmap/index.ts";
import { namespaces } from "./core/namespace/index.ts";
import { secrets } from "./core/secret/index.ts";
import { services } from "./core/service/index.ts";
import { serviceAccounts } from "./core/serviceaccount/index.ts";

/** Every built-in resource. The API server serves exactly these, and custom resources. */
export const builtinResources: readonly ResourceDefinition[] = [
  anyKind(configMaps),
  anyKind(namespaces),
  anyKind(secrets),
  anyKind(serviceAccounts),
  anyKind(services),
];

/**
 * Forgets the kind. The server calls a definition's functions only with objects that were decoded by its schema, so
 * they always get the type they ask for.
 */
function anyKind<T extends KubeObject>(definition: ResourceDefinition<T>): ResourceDefinition {
  return definition as unknown as ResourceDefinition;
}
