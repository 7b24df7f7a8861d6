/**
 * Metrics in the form that autoscaling/v1 keeps in annotations.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/api/autoscaling/v1/types.go, MetricSpec and MetricStatus.
 */

import type {
  CrossVersionObjectReference,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from "../../../generated/autoscaling-v2.generated.ts";
import type { LabelSelector } from "../../../generated/meta-v1.generated.ts";

/** What the annotation holds: parsed JSON. */
type Old = { readonly [key: string]: unknown };

/** The one metric that autoscaling/v1 has a field for. */
export function isCpuUtilization({ type, resource }: MetricSpec): boolean {
  return type === "Resource" && resource?.name === "cpu" && resource.target.averageUtilization !== undefined;
}

export function toOldMetric(metric: MetricSpec): object {
  const { type, object, pods, resource, containerResource, external } = metric;
  return compact({
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      targetValue: object.target.value ?? "0",
      selector: object.metric.selector,
      averageValue: object.target.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      targetAverageValue: pods.target.averageValue ?? "0",
      selector: pods.metric.selector,
    },
    resource: resource && { name: resource.name, ...oldTarget(resource.target) },
    containerResource: containerResource && {
      name: containerResource.name,
      ...oldTarget(containerResource.target),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      targetValue: external.target.value,
      targetAverageValue: external.target.averageValue,
    },
  });
}

export function fromOldMetric(old: Old): MetricSpec {
  const metric: MetricSpec = { type: textOf(old["type"]) };
  const { object, pods, resource, containerResource, external } = sourcesOf(old);
  if (object !== undefined) {
    metric.object = {
      describedObject: object["target"] as CrossVersionObjectReference, // The annotation's form, as written by toOldMetric.
      metric: identifier(object["metricName"], object["selector"]),
      target: valueTarget(object["targetValue"], object["averageValue"]),
    };
  }
  if (pods !== undefined) {
    metric.pods = {
      metric: identifier(pods["metricName"], pods["selector"]),
      target: valueTarget(undefined, pods["targetAverageValue"]),
    };
  }
  if (resource !== undefined)
    metric.resource = { name: textOf(resource["name"]), target: resourceTarget(resource) };
  if (containerResource !== undefined) {
    metric.containerResource = {
      name: textOf(containerResource["name"]),
      container: textOf(containerResource["container"]),
      target: resourceTarget(containerResource),
    };
  }
  if (external !== undefined) {
    metric.external = {
      metric: identifier(external["metricName"], external["metricSelector"]),
      target: valueTarget(external["targetValue"], external["targetAverageValue"]),
    };
  }
  return metric;
}

export function toOldStatus(status: MetricStatus): object {
  const { type, object, pods, resource, containerResource, external } = status;
  return compact({
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      currentValue: object.current.value ?? "0",
      selector: object.metric.selector,
      averageValue: object.current.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      currentAverageValue: pods.current.averageValue ?? "0",
      selector: pods.metric.selector,
    },
    resource: resource && { name: resource.name, ...oldCurrent(resource.current) },
    containerResource: containerResource && {
      name: containerResource.name,
      ...oldCurrent(containerResource.current),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      currentValue: external.current.value ?? "0",
      currentAverageValue: external.current.averageValue,
    },
  });
}

export function fromOldStatus(old: Old): MetricStatus {
  const status: MetricStatus = { type: textOf(old["type"]) };
  const { object, pods, resource, containerResource, external } = sourcesOf(old);
  if (object !== undefined) {
    status.object = {
      describedObject: object["target"] as CrossVersionObjectReference, // As in fromOldMetric.
      metric: identifier(object["metricName"], object["selector"]),
      current: current(object["currentValue"], object["averageValue"], undefined),
    };
  }
  if (pods !== undefined) {
    status.pods = {
      metric: identifier(pods["metricName"], pods["selector"]),
      current: current(undefined, pods["currentAverageValue"], undefined),
    };
  }
  if (resource !== undefined)
    status.resource = { name: textOf(resource["name"]), current: resourceCurrent(resource) };
  if (containerResource !== undefined) {
    status.containerResource = {
      name: textOf(containerResource["name"]),
      container: textOf(containerResource["container"]),
      current: resourceCurrent(containerResource),
    };
  }
  if (external !== undefined) {
    status.external = {
      metric: identifier(external["metricName"], external["metricSelector"]),
      current: current(external["currentValue"], external["currentAverageValue"], undefined),
    };
  }
  return status;
}

type Sources = Partial<Record<"object" | "pods" | "resource" | "containerResource" | "external", Old>>;

function sourcesOf(old: Old): Sources {
  const sources: Sources = {};
  for (const name of ["object", "pods", "resource", "containerResource", "external"] as const) {
    const source = old[name];
    if (typeof source === "object" && source !== null) sources[name] = source as Old; // Parsed JSON.
  }
  return sources;
}

function oldTarget(target: MetricTarget): object {
  return { targetAverageUtilization: target.averageUtilization, targetAverageValue: target.averageValue };
}

function oldCurrent(current: MetricValueStatus): object {
  return {
    currentAverageUtilization: current.averageUtilization,
    currentAverageValue: current.averageValue ?? "0",
  };
}

function identifier(name: unknown, selector: unknown): { name: string; selector?: LabelSelector } {
  if (typeof selector !== "object" || selector === null) return { name: textOf(name) };
  return { name: textOf(name), selector: selector as LabelSelector }; // Parsed JSON; validated with the object.
}

function valueTarget(value: unknown, averageValue: unknown): MetricTarget {
  if (typeof averageValue === "string") return { type: "AverageValue", averageValue };
  return { type: "Value", value: textOf(value) || "0" };
}

function resourceTarget(source: Old): MetricTarget {
  const utilization = source["targetAverageUtilization"];
  if (typeof utilization === "number") return { type: "Utilization", averageUtilization: utilization };
  return { type: "AverageValue", averageValue: textOf(source["targetAverageValue"]) || "0" };
}

function resourceCurrent(source: Old): MetricValueStatus {
  return current(undefined, source["currentAverageValue"], source["currentAverageUtilization"]);
}

function current(value: unknown, averageValue: unknown, averageUtilization: unknown): MetricValueStatus {
  const out: MetricValueStatus = {};
  if (typeof value === "string") out.value = value;
  if (typeof averageValue === "string") out.averageValue = averageValue;
  if (typeof averageUtilization === "number") out.averageUtilization = averageUtilization;
  return out;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Without properties that are undefined, so that the text is what Go writes. */
function compact(value: object): object {
  return JSON.parse(JSON.stringify(value)) as object; // Plain data in, plain data out.
}
