import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerStatus } from "@binnacle/api";
import { isNotFound, msToTime } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { Discovery } from "@binnacle/client";
import { type ControllerDefinition, controllerFor, done } from "@binnacle/controller-runtime";
import { horizontalPodAutoscalers } from "../../resource-types.ts";
import { planScale, unreadableTarget } from "./plan.ts";

/** How often a target is looked at. Source: --horizontal-pod-autoscaler-sync-period. */
const SYNC_PERIOD_MS = 15_000;

/**
 * Keeps the targets of HorizontalPodAutoscalers within their limits.
 *
 * Differs from upstream: no metrics are read, as none are served; between the limits a target stays as it is.
 */
export const horizontalPodAutoscalerController: ControllerDefinition = controllerFor(horizontalPodAutoscalers)
  .named("horizontal-pod-autoscaler-controller")
  .withOptions({ concurrency: 5, eventSource: "horizontal-pod-autoscaler" })
  .setup(({ cache, client, clock, recorder }) => {
    const discovery = new Discovery(client.live.transport);
    const write = async (
      autoscaler: HorizontalPodAutoscaler,
      status: HorizontalPodAutoscalerStatus,
    ): Promise<void> => {
      if (jsonEquals(status, autoscaler.status ?? {})) return;
      try {
        await client.updateStatus(horizontalPodAutoscalers, { ...autoscaler, status });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    };
    return {
      async reconcile(key) {
        const autoscaler = cache.get(horizontalPodAutoscalers, key);
        if (autoscaler === undefined) return done;
        const { kind, name, apiVersion = "v1" } = autoscaler.spec.scaleTargetRef;
        const target = { namespace: key.namespace ?? "", name };
        const event = (type: "Normal" | "Warning", reason: string, message: string): void =>
          recorder.event(horizontalPodAutoscalers, autoscaler, type, reason, message);
        const now = clock.now();
        const last: HorizontalPodAutoscalerStatus = autoscaler.status ?? { desiredReplicas: 0 };
        const again = { requeueAfterMs: SYNC_PERIOD_MS };

        const type = await discovery.forKind(apiVersion, kind);
        if (type === undefined) {
          const why = `no matches for kind "${kind}" in group "${apiVersion.split("/")[0]}"`;
          event("Warning", "FailedGetScale", why);
          await write(autoscaler, { ...last, conditions: [...unreadableTarget(autoscaler, why, now)] });
          return again;
        }
        try {
          const scale = await client.live.getScale(type, target);
          const current = scale.spec.replicas ?? 0;
          const plan = planScale(autoscaler, current, now);
          const status = {
            ...last,
            ...(autoscaler.metadata.generation === undefined
              ? {}
              : { observedGeneration: autoscaler.metadata.generation }),
            ...(current === 0 ? {} : { currentReplicas: current }),
            desiredReplicas: plan.desired,
            conditions: [...plan.conditions],
          };
          if (plan.failure !== undefined) event("Warning", "FailedComputeMetricsReplicas", plan.failure);
          if (plan.reason === undefined) {
            await write(autoscaler, status);
            return again;
          }
          await client.live.updateScale(type, target, {
            ...scale,
            spec: { ...scale.spec, replicas: plan.desired },
          });
          event("Normal", "SuccessfulRescale", `New size: ${plan.desired}; reason: ${plan.reason}`);
          await write(autoscaler, { ...status, lastScaleTime: msToTime(now) });
          return again;
        } catch (error) {
          if (!isNotFound(error)) throw error;
          const { message } = error as Error; // A StatusError.
          event("Warning", "FailedGetScale", message);
          await write(autoscaler, { ...last, conditions: [...unreadableTarget(autoscaler, message, now)] });
          return again;
        }
      },
    };
  });
