import { isAlreadyExists, isNotFound } from "@binnacle/apimachinery";
import {
  type ControllerDefinition,
  controllerFor,
  deleted,
  done,
  enqueueMapped,
  isTerminating,
} from "@binnacle/controller-runtime";
import { isNamespaceTerminating } from "../../pod-control/pod-from-template.ts";
import { namespaces, serviceAccounts } from "../../resource-types.ts";

/** The service account that pods get when they ask for none. */
const DEFAULT_NAME = "default";

/**
 * Gives every namespace its default service account, again when it is deleted.
 *
 * Source: kubernetes v1.36 pkg/controller/serviceaccount/serviceaccounts_controller.go.
 */
export const serviceAccountController: ControllerDefinition = controllerFor(namespaces)
  .named("service-account-controller")
  .watches(
    serviceAccounts,
    enqueueMapped(({ metadata }) => [{ name: metadata.namespace ?? "" }]),
    deleted,
  )
  .reconcile(async ({ name }, { client, cache }) => {
    const namespace = cache.get(namespaces, { name });
    if (namespace === undefined || isTerminating(namespace) || namespace.status?.phase === "Terminating")
      return done;
    const key = { namespace: name, name: DEFAULT_NAME };
    if (cache.get(serviceAccounts, key) !== undefined) return done;
    try {
      await client.create(serviceAccounts, { metadata: key });
    } catch (error) {
      if (!isAlreadyExists(error) && !isNotFound(error) && !isNamespaceTerminating(error)) throw error;
    }
    return done;
  });
