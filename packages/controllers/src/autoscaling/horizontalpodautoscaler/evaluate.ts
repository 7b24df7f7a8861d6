/**
 * Asks the metrics APIs for each metric of an autoscaler and takes the highest proposal.
 *
 * Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, computeReplicasForMetrics.
 */
import type {
  HorizontalPodAutoscaler,
  LabelSelector,
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
  Pod,
} from "@binnacle/api";
import {
  formatQuantity,
  type LabelMatcher,
  quantityOfMillis,
  quantityToMillis,
  quantityToNumber,
} from "@binnacle/apimachinery";
import { isPodReady } from "../../pod-control/pod-state.ts";
import type { MetricsClient } from "./metrics-client.ts";
import {
  defaultTolerances,
  type Proposal,
  replicasForAverage,
  replicasForTotal,
  replicasForUtilization,
  type Tolerances,
} from "./replica-calculator.ts";

export interface MetricContext {
  readonly hpa: HorizontalPodAutoscaler;
  readonly namespace: string;
  readonly selector: LabelMatcher;
  readonly current: number;
  readonly pods: readonly Pod[];
  readonly metrics: MetricsClient;
  /** The plural name of a kind, for metrics of objects. */
  readonly resourceOf: (apiVersion: string, kind: string) => Promise<string>;
  readonly nowMs: number;
}

/** A metric could not be evaluated; the reason becomes the condition's. */
export class MetricError extends Error {
  override readonly name = "MetricError";
  readonly reason: string;

  constructor(reason: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

export interface Evaluation {
  readonly replicas: number;
  /** The metric that asked for most. */
  readonly name: string;
  readonly statuses: readonly MetricStatus[];
  /** Of a metric that could not be read, while others could. */
  readonly failure: MetricError | undefined;
}

/** Throws {@link MetricError} when no metric can be read, or one cannot and the others would shrink. */
export async function evaluateMetrics(context: MetricContext): Promise<Evaluation> {
  const specs = context.hpa.spec.metrics ?? [];
  const statuses: MetricStatus[] = [];
  let best: { replicas: number; name: string } | undefined;
  let failure: MetricError | undefined;
  let failures = 0;
  for (const spec of specs) {
    try {
      const { proposal, name, status } = await evaluate(spec, context);
      statuses.push(status);
      if (best === undefined || proposal.replicas > best.replicas)
        best = { replicas: proposal.replicas, name };
    } catch (error) {
      failures++;
      failure ??=
        error instanceof MetricError ? error : new MetricError("InvalidMetricSourceType", String(error));
    }
  }
  // Shrinking on half the truth could hurt; growing cannot.
  if (failure !== undefined && (best === undefined || best.replicas < context.current))
    throw new MetricError(
      failure.reason,
      `invalid metrics (${failures} invalid out of ${specs.length}), first error is: ${failure.message}`,
      failure,
    );
  return { replicas: best?.replicas ?? context.current, name: best?.name ?? "", statuses, failure };
}

async function evaluate(
  spec: MetricSpec,
  context: MetricContext,
): Promise<{ proposal: Proposal; name: string; status: MetricStatus }> {
  const { metrics, namespace, selector, current, pods, nowMs } = context;
  const tolerances = tolerancesOf(context.hpa);
  if (spec.resource !== undefined || spec.containerResource !== undefined) {
    const container = spec.containerResource?.container;
    const { name = "", target = { type: "" } } = spec.resource ?? spec.containerResource ?? {};
    const reason = container === undefined ? "FailedGetResourceMetric" : "FailedGetContainerResourceMetric";
    const isUtilization = target.averageUtilization !== undefined;
    const what = `failed to get ${name} ${isUtilization ? "utilization" : "usage"}`;
    const read = async (): Promise<Proposal> => {
      const measured = await explain(`unable to get metrics for resource ${name}`, () =>
        metrics.resource(namespace, selector, name, container),
      );
      if (target.averageUtilization !== undefined)
        return replicasForUtilization({
          current,
          targetPercent: target.averageUtilization,
          pods,
          metrics: measured,
          resource: name,
          container,
          tolerances,
          nowMs,
        });
      return replicasForAverage({
        current,
        targetMillis: millis(target.averageValue),
        pods,
        metrics: measured,
        resource: name,
        tolerances,
        nowMs,
      });
    };
    const proposal = await failing(reason, what, read);
    const currentValue: MetricValueStatus = {
      averageValue: formatMillis(proposal.averageMillis),
      ...(proposal.utilization === undefined ? {} : { averageUtilization: proposal.utilization }),
    };
    const status: MetricStatus =
      container === undefined
        ? { type: "Resource", resource: { name, current: currentValue } }
        : { type: "ContainerResource", containerResource: { name, container, current: currentValue } };
    const kind = isUtilization ? "utilization (percentage of request)" : "utilization";
    return {
      proposal,
      name: `${name} ${container === undefined ? "resource" : "container resource"} ${kind}`,
      status,
    };
  }
  if (spec.pods !== undefined) {
    const { metric, target } = spec.pods;
    const proposal = await failing("FailedGetPodsMetric", "failed to get pods metric value", async () => {
      const measured = await explain(`unable to get metric ${metric.name}`, () =>
        metrics.pods(namespace, selector, metric.name, metric.selector),
      );
      return replicasForAverage({
        current,
        targetMillis: millis(target.averageValue),
        pods,
        metrics: measured,
        resource: undefined,
        tolerances,
        nowMs,
      });
    });
    const status = {
      type: "Pods",
      pods: { metric, current: { averageValue: formatMillis(proposal.averageMillis) } },
    };
    return { proposal, name: `pods metric ${metric.name}`, status };
  }
  if (spec.object !== undefined) {
    const { metric, target, describedObject } = spec.object;
    const proposal = await failing("FailedGetObjectMetric", "failed to get object metric value", async () => {
      const resource = await context.resourceOf(describedObject.apiVersion ?? "v1", describedObject.kind);
      const totalMillis = await explain(
        `unable to get metric ${metric.name}: ${describedObject.kind} on ${namespace} ${describedObject.name}`,
        () => metrics.object(namespace, describedObject, resource, metric.name, metric.selector),
      );
      return total(context, totalMillis, target, tolerances);
    });
    const status = {
      type: "Object",
      object: { metric, describedObject, current: valueStatus(target, proposal) },
    };
    return { proposal, name: `${describedObject.kind} metric ${metric.name}`, status };
  }
  if (spec.external !== undefined) {
    const { metric, target } = spec.external;
    const proposal = await failing(
      "FailedGetExternalMetric",
      "failed to get external metric value",
      async () => {
        const totalMillis = await explain(
          `unable to get external metric ${namespace}/${metric.name}/${selectorText(metric)}`,
          () => metrics.external(namespace, metric.name, metric.selector),
        );
        return total(context, totalMillis, target, tolerances);
      },
    );
    const status = { type: "External", external: { metric, current: valueStatus(target, proposal) } };
    return { proposal, name: `external metric ${metric.name}(${selectorText(metric)})`, status };
  }
  throw new MetricError("InvalidMetricSourceType", `unknown metric source type "${spec.type}"`);
}

function total(
  { current, pods }: MetricContext,
  totalMillis: number,
  target: MetricTarget,
  tolerances: Tolerances,
): Proposal {
  const isPerPod = target.averageValue !== undefined;
  return replicasForTotal({
    current,
    readyCount: pods.filter((pod) => pod.status?.phase === "Running" && isPodReady(pod)).length,
    totalMillis,
    targetMillis: millis(target.averageValue ?? target.value),
    isPerPod,
    tolerances,
  });
}

function valueStatus(target: MetricTarget, { averageMillis }: Proposal): MetricValueStatus {
  const text = formatMillis(averageMillis);
  return target.averageValue === undefined ? { value: text } : { averageValue: text };
}

function tolerancesOf({ spec }: HorizontalPodAutoscaler): Tolerances {
  const read = (text: string | undefined, otherwise: number): number =>
    text === undefined ? otherwise : quantityToNumber(text);
  return {
    up: read(spec.behavior?.scaleUp?.tolerance, defaultTolerances.up),
    down: read(spec.behavior?.scaleDown?.tolerance, defaultTolerances.down),
  };
}

async function failing<T>(reason: string, what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new MetricError(reason, `${what}: ${error instanceof Error ? error.message : error}`, error);
  }
}

async function explain<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

function millis(text: string | undefined): number {
  return Number(quantityToMillis(text ?? "0"));
}

function formatMillis(value: number): string {
  return formatQuantity(quantityOfMillis(Math.trunc(value)));
}

function selectorText({ selector }: MetricIdentifier): string {
  return selector === undefined ? "nil" : JSON.stringify(selector satisfies LabelSelector);
}
