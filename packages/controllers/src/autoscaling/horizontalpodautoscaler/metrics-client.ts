/**
 * Reads the metrics APIs.
 *
 * Source: kubernetes v1.36 pkg/controller/podautoscaler/metrics/client.go.
 */
import type { CrossVersionObjectReference, LabelSelector } from "@binnacle/api";
import {
  formatLabelSelector,
  isNotFound,
  type LabelMatcher,
  labelSelectorFromObject,
  quantityToMillis,
  timeToMs,
} from "@binnacle/apimachinery";
import type { Client } from "@binnacle/client";

/** What one pod uses, in thousandths of the metric's unit. */
export interface PodMetric {
  readonly valueMillis: number;
  /** When it was measured, and over how long. */
  readonly atMs: number;
  readonly windowMs: number;
}

export type PodMetrics = ReadonlyMap<string, PodMetric>;

interface PodMetricsList {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly timestamp?: string;
    readonly window?: string;
    readonly containers?: readonly {
      readonly name: string;
      readonly usage?: Readonly<Record<string, string>>;
    }[];
  }[];
}

interface MetricValueList {
  readonly items: readonly {
    readonly describedObject?: { readonly name?: string };
    readonly timestamp?: string;
    readonly windowSeconds?: number;
    readonly value: string;
  }[];
}

/** Source: metrics/client.go, metricServerDefaultMetricWindow. */
const DEFAULT_WINDOW_MS = 60_000;

export class MetricsClient {
  readonly #live: Client;

  constructor(live: Client) {
    this.#live = live;
  }

  /** What the pods (or one container of each) use of a resource. */
  async resource(
    namespace: string,
    selector: LabelMatcher,
    resource: string,
    container?: string,
  ): Promise<PodMetrics> {
    const list = (await this.#get(
      `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`,
      "resource metrics API",
      "get pods.metrics.k8s.io",
      { labelSelector: formatLabelSelector(selector) },
    )) as PodMetricsList; // What this API answers.
    const metrics = new Map<string, PodMetric>();
    for (const { metadata, timestamp, window, containers = [] } of list.items) {
      const wanted =
        container === undefined ? containers : containers.filter((each) => each.name === container);
      const usages = wanted.map((each) => each.usage?.[resource]);
      // A pod of which something is not measured is not measured.
      if (usages.length === 0 || usages.includes(undefined)) continue;
      const total = usages.reduce((sum, usage) => sum + quantityToMillis(usage ?? "0"), 0n);
      metrics.set(metadata.name, {
        valueMillis: Number(total),
        atMs: timeToMs(timestamp),
        windowMs: parseSeconds(window) ?? DEFAULT_WINDOW_MS,
      });
    }
    if (metrics.size === 0) throw new Error("no metrics returned from resource metrics API");
    return metrics;
  }

  /** A metric of each pod. */
  async pods(
    namespace: string,
    selector: LabelMatcher,
    metric: string,
    of?: LabelSelector,
  ): Promise<PodMetrics> {
    const list = await this.#custom(`/namespaces/${namespace}/pods/*/${metric}`, {
      labelSelector: formatLabelSelector(selector),
      ...metricSelector(of),
    });
    if (list.items.length === 0) throw new Error("no metrics returned from custom metrics API");
    return new Map(
      list.items.map(({ describedObject, timestamp, windowSeconds, value }) => [
        describedObject?.name ?? "",
        {
          valueMillis: Number(quantityToMillis(value)),
          atMs: timeToMs(timestamp),
          windowMs: windowSeconds === undefined ? DEFAULT_WINDOW_MS : windowSeconds * 1000,
        },
      ]),
    );
  }

  /** A metric of one object, in thousandths. */
  async object(
    namespace: string,
    object: CrossVersionObjectReference,
    resource: string,
    metric: string,
    of?: LabelSelector,
  ): Promise<number> {
    const list = await this.#custom(
      `/namespaces/${namespace}/${resource}/${object.name}/${metric}`,
      metricSelector(of),
    );
    const [first] = list.items;
    if (first === undefined) throw new Error("no metrics returned from custom metrics API");
    return Number(quantityToMillis(first.value));
  }

  /** A metric from outside of the cluster, summed, in thousandths. */
  async external(namespace: string, metric: string, of?: LabelSelector): Promise<number> {
    const labelSelector = of === undefined ? undefined : formatLabelSelector(labelSelectorFromObject(of));
    const list = (await this.#get(
      `/apis/external.metrics.k8s.io/v1beta1/namespaces/${namespace}/${metric}`,
      "external metrics API",
      `get ${metric}.external.metrics.k8s.io`,
      { labelSelector },
    )) as MetricValueList; // What this API answers.
    if (list.items.length === 0) throw new Error("no metrics returned from external metrics API");
    return list.items.reduce((sum, { value }) => sum + Number(quantityToMillis(value)), 0);
  }

  async #custom(path: string, query: Record<string, string | undefined>): Promise<MetricValueList> {
    return (await this.#get(
      `/apis/custom.metrics.k8s.io/v1beta2${path}`,
      "custom metrics API",
      "get custom.metrics.k8s.io",
      query,
    )) as MetricValueList; // What this API answers.
  }

  async #get(
    path: string,
    api: string,
    what: string,
    query: Record<string, string | undefined>,
  ): Promise<unknown> {
    try {
      return await this.#live.send({ method: "GET", path, query });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      // A path that is not served has no Status: Kubernetes' client says which request it was.
      const text = isNotFound(error) ? `the server could not find the requested resource (${what})` : why;
      throw new Error(`unable to fetch metrics from ${api}: ${text}`, { cause: error });
    }
  }
}

function metricSelector(of: LabelSelector | undefined): { metricLabelSelector?: string } {
  return of === undefined ? {} : { metricLabelSelector: formatLabelSelector(labelSelectorFromObject(of)) };
}

/** Go's durations as metrics servers write them: `30s`, `1m0s`. */
function parseSeconds(text: string | undefined): number | undefined {
  const match = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/.exec(text ?? "");
  if (match === null || text === undefined || text === "") return undefined;
  return (Number(match[1] ?? 0) * 3600 + Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0)) * 1000;
}
