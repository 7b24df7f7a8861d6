import type { Namespace, Pod } from "@binnacle/api";
import { isNotFound } from "@binnacle/apimachinery";
import { fetchDiscovery } from "@binnacle/client";
import {
  type ControllerDefinition,
  controllerFor,
  deleted,
  done,
  enqueueMapped,
  isTerminating,
  objectMatches,
  type Reconcile,
} from "@binnacle/controller-runtime";
import { namespaces, pods } from "../../resource-types.ts";
import { namespaceConditions } from "./conditions.ts";
import { deleteContent, deletedAtMs } from "./content.ts";

/**
 * How long a namespace stays as it is after its deletion: `kubectl delete -f FOLDER` deletes the namespace first, and
 * the objects in it by name after that. Source: namespace_controller.go, namespaceDeletionGracePeriod.
 */
const GRACE_MS = 5000;

const KUBERNETES_FINALIZER = "kubernetes";

/**
 * Empties namespaces that are being deleted, then lets them go.
 *
 * Differs from upstream: it looks again when a pod is gone.
 */
export const namespaceController: ControllerDefinition = controllerFor(
  namespaces,
  objectMatches<Namespace>(isTerminating),
)
  .named("namespace-controller")
  .watches<Pod>(
    pods,
    enqueueMapped(({ metadata }, { cache }) => {
      const name = metadata.namespace ?? "";
      const namespace = cache.get(namespaces, { name });
      return namespace !== undefined && isTerminating(namespace) ? [{ name }] : [];
    }),
    deleted,
  )
  .withOptions({ concurrency: 10 })
  .reconcile((key, context) => reconcileNamespace(key, context));

const reconcileNamespace: Reconcile = async ({ name }, { client, clock }) => {
  // The cache may be behind the finalizing that it caused.
  const namespace = await client.live.find(namespaces, { name });
  if (namespace === undefined || !isTerminating(namespace)) return done;
  if ((namespace.spec?.finalizers ?? []).length === 0) return done;
  const remainingMs = deletedAtMs(namespace) + GRACE_MS - clock.now();
  if (remainingMs > 0) return { requeueAfterMs: remainingMs };

  const snapshot = await fetchDiscovery(client.transport);
  const place = { name, deletedAtMs: deletedAtMs(namespace) };
  const { pass, waitSeconds } = await deleteContent(client.live, snapshot, place, clock.now());
  const current = await writeConditions(namespace);
  if (waitSeconds > 0) return { requeueAfterMs: (Math.floor(waitSeconds / 2) + 1) * 1000 };
  const failures = [...pass.discoveryFailures, ...pass.deletionFailures];
  if (failures.length > 0) throw new Error(`namespace ${name} cannot be emptied: ${failures.join("; ")}`);
  await letGo(current);
  return done;

  async function writeConditions(object: Namespace): Promise<Namespace> {
    const present = object.status?.conditions ?? [];
    const conditions = namespaceConditions(present, pass, clock.now());
    // A namespace that is about to go needs no record of it.
    if (
      conditions === present ||
      (waitSeconds === 0 && present.length === 0 && pass.deletionFailures.length === 0)
    )
      return object;
    return client.updateStatus(namespaces, {
      ...object,
      status: { ...object.status, phase: "Terminating", conditions: [...conditions] },
    });
  }

  async function letGo(object: Namespace): Promise<void> {
    const finalizers = (object.spec?.finalizers ?? []).filter((each) => each !== KUBERNETES_FINALIZER);
    try {
      const finalized: Namespace = { ...object, spec: { ...object.spec, finalizers } };
      await client.updateSubresource(namespaces, { name }, "finalize", {
        apiVersion: "v1",
        kind: "Namespace",
        ...finalized,
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
};
