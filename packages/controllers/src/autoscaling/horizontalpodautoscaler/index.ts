import { Discovery } from "@binnacle/client";
import {
  type ControllerDefinition,
  controllerFor,
  done,
  formatKey,
  generationChanged,
} from "@binnacle/controller-runtime";
import { horizontalPodAutoscalers, pods } from "../../resource-types.ts";
import { type AutoscalerMemory, AutoscalerRound } from "./reconcile.ts";

/** Source: kubernetes v1.36 pkg/controller/podautoscaler/config/v1alpha1/defaults.go, HorizontalPodAutoscalerSyncPeriod. */
const PERIOD_MS = 15_000;

/** Adapts the size of workloads to their load, every 15 seconds. */
export const horizontalPodAutoscalerController: ControllerDefinition = controllerFor(
  horizontalPodAutoscalers,
  generationChanged,
)
  .reads(pods)
  .withOptions({ concurrency: 5, eventSource: "horizontal-pod-autoscaler" })
  .setup((context) => {
    const memory: AutoscalerMemory = {
      histories: new Map(),
      discovery: new Discovery(context.client.live.transport),
    };
    const uids = new Map<string, string>();
    return {
      async reconcile(key) {
        const hpa = context.cache.get(horizontalPodAutoscalers, key);
        const textKey = formatKey(key);
        const known = uids.get(textKey);
        if (known !== undefined && known !== hpa?.metadata.uid) {
          memory.histories.delete(known);
          uids.delete(textKey);
        }
        if (hpa === undefined) return done;
        uids.set(textKey, hpa.metadata.uid ?? "");
        try {
          await new AutoscalerRound(hpa, memory, context).run();
        } catch (error) {
          // The next round comes at its time; its outcome is in the conditions.
          context.logger.warn("a round of an autoscaler failed", { key: textKey, error });
        }
        return { requeueAfterMs: PERIOD_MS };
      },
    };
  });
