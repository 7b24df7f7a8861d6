import type { Pod, PodDisruptionBudgetStatus } from "@binnacle/api";
import { isNotFound, labelSelectorFromObject, matchLabels } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { Discovery, keyOf } from "@binnacle/client";
import {
  type ControllerDefinition,
  controllerFor,
  done,
  enqueueMapped,
  type ReconcileResult,
} from "@binnacle/controller-runtime";
import {
  deployments,
  podDisruptionBudgets,
  pods,
  replicaSets,
  replicationControllers,
  statefulSets,
} from "../../resource-types.ts";
import {
  budgetStatus,
  countHealthy,
  failedStatus,
  healthyWanted,
  needsScale,
  pendingDisruptions,
} from "./budget.ts";
import { expectedScale } from "./expected-scale.ts";

/** Keeps the status of PodDisruptionBudgets, which evictions go by. */
export const podDisruptionBudgetController: ControllerDefinition = controllerFor(podDisruptionBudgets)
  .named("disruption-controller")
  .watches<Pod>(
    pods,
    enqueueMapped((pod, { cache }) =>
      cache
        .list(podDisruptionBudgets, { namespace: pod.metadata.namespace ?? "" })
        .filter(({ spec }) => matchLabels(labelSelectorFromObject(spec.selector), pod.metadata.labels))
        .map(keyOf),
    ),
  )
  .reads(deployments, replicaSets, statefulSets, replicationControllers)
  .withOptions({ concurrency: 5, eventSource: "controllermanager" })
  .setup((context) => {
    const discovery = new Discovery(context.client.live.transport);
    return {
      async reconcile(key): Promise<ReconcileResult> {
        const { cache, client, clock, recorder } = context;
        const budget = cache.get(podDisruptionBudgets, key);
        if (budget === undefined) return done;
        const now = clock.now();
        const selected = cache.list(pods, {
          namespace: key.namespace ?? "",
          labelSelector: labelSelectorFromObject(budget.spec.selector),
        });
        const write = async (status: PodDisruptionBudgetStatus): Promise<void> => {
          if (jsonEquals(status, budget.status ?? {})) return;
          try {
            await client.updateStatus(podDisruptionBudgets, { ...budget, status });
          } catch (error) {
            if (!isNotFound(error)) throw error;
          }
        };
        if (selected.length === 0)
          recorder.event(podDisruptionBudgets, budget, "Normal", "NoPods", "No matching pods found");
        let scale = 0;
        try {
          if (needsScale(budget)) scale = await expectedScale(selected, context, discovery);
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          const message = `Failed to calculate the number of expected pods: ${why}`;
          recorder.event(podDisruptionBudgets, budget, "Warning", "CalculateExpectedPodCountFailed", message);
          await write(failedStatus(budget, why, now));
          throw error;
        }
        const { expected, desired } = healthyWanted(budget, selected.length, scale);
        const { pending, expired, recheckMs } = pendingDisruptions(budget, selected, now);
        for (const pod of expired) {
          const message = `Pod was expected by PDB ${key.namespace}/${key.name} to be deleted but it wasn't`;
          recorder.event(pods, pod, "Warning", "NotDeleted", message);
        }
        const healthy = countHealthy(selected, pending);
        await write(budgetStatus(budget, { healthy, desired, expected }, pending, now));
        return recheckMs === undefined ? done : { requeueAfterMs: recheckMs };
      },
    };
  });
