import {
  applyRule,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  pathSegment,
  quantitySign,
  required,
} from "@binnacle/apimachinery";
import type { MetricIdentifier, MetricSpec, MetricTarget } from "../../generated/autoscaling-v2.generated.ts";
import { validateReference } from "./validation.ts";

const TYPES = ["ContainerResource", "External", "Object", "Pods", "Resource"];

/** The field that holds the metric of each type. */
const FIELD_OF_TYPE: Readonly<Record<string, SourceField>> = {
  Object: "object",
  Pods: "pods",
  Resource: "resource",
  ContainerResource: "containerResource",
  External: "external",
};

const FIELDS = ["object", "external", "pods", "resource", "containerResource"] as const;
type SourceField = (typeof FIELDS)[number];

/** Source: kubernetes v1.36 pkg/apis/autoscaling/validation/validation.go, validateMetrics. */
export function validateMetrics(
  metrics: readonly MetricSpec[],
  minReplicas: number | undefined,
  path: string,
): FieldError[] {
  const errors = metrics.flatMap((metric, i) => validateMetric(metric, `${path}[${i}]`));
  if (minReplicas === 0 && !metrics.some(({ type }) => type === "Object" || type === "External")) {
    const why = "must specify at least one Object or External metric to support scaling to zero replicas";
    errors.push(forbiddenField(path, why));
  }
  return errors;
}

function validateMetric(metric: MetricSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (metric.type === "") errors.push(required(`${path}.type`, "must specify a metric source type"));
  if (!TYPES.includes(metric.type)) errors.push(notSupported(`${path}.type`, metric.type, TYPES));
  const present = FIELDS.filter((field) => metric[field] !== undefined);
  const first = present[0];
  if (first !== undefined) errors.push(...validateSource(metric, first, `${path}.${first}`));
  const expected = FIELD_OF_TYPE[metric.type];
  // Upstream says so once more where it looks for the type's field: one mistake, two causes.
  if (expected === undefined) errors.push(notSupported(`${path}.type`, metric.type, TYPES));
  if (expected !== undefined && metric[expected] === undefined) {
    errors.push(required(`${path}.${expected}`, "must populate information for the given metric source"));
  }
  if (present.length === 1) return errors;
  for (const field of present) {
    if (field !== expected) {
      errors.push(forbiddenField(`${path}.${field}`, "must populate the given metric source only"));
    }
  }
  return errors;
}

function validateSource(metric: MetricSpec, field: SourceField, path: string): FieldError[] {
  const target = metric[field]?.target;
  const errors: FieldError[] = [];
  if (metric.object !== undefined && field === "object") {
    errors.push(...validateReference(metric.object.describedObject, `${path}.describedObject`));
  }
  const identifier =
    field === "object" || field === "external" || field === "pods" ? metric[field]?.metric : undefined;
  if (identifier !== undefined) errors.push(...validateIdentifier(identifier, `${path}.metric`));
  if (field === "resource" || field === "containerResource") {
    if (metric[field]?.name === "") errors.push(required(`${path}.name`, "must specify a resource name"));
    if (field === "containerResource" && metric.containerResource?.container === "") {
      errors.push(required(`${path}.container`, "must specify a container"));
    }
  }
  if (target === undefined) return errors;
  errors.push(
    ...validateTarget(target, `${path}.target`),
    ...validateTargetOf(field, target, `${path}.target`),
  );
  return errors;
}

function validateIdentifier({ name }: MetricIdentifier, path: string): FieldError[] {
  if (name === "") return [required(`${path}.name`, "must specify a metric name")];
  return applyRule(pathSegment, name, `${path}.name`);
}

function validateTarget(target: MetricTarget, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (target.type === "") errors.push(required(`${path}.type`, "must specify a metric target type"));
  if (!["Utilization", "Value", "AverageValue"].includes(target.type)) {
    errors.push(invalid(`${path}.type`, target.type, "must be either Utilization, Value, or AverageValue"));
  }
  for (const field of ["value", "averageValue"] as const) {
    const value = target[field];
    if (value !== undefined && quantitySign(value) < 1) {
      errors.push(invalid(`${path}.${field}`, value, "must be positive"));
    }
  }
  if (target.averageUtilization !== undefined && target.averageUtilization < 1) {
    errors.push(invalid(`${path}.averageUtilization`, target.averageUtilization, "must be greater than 0"));
  }
  return errors;
}

/** Which of the targets a source takes. */
function validateTargetOf(field: SourceField, target: MetricTarget, path: string): FieldError[] {
  const { value, averageValue, averageUtilization } = target;
  switch (field) {
    case "object":
      if (value !== undefined || averageValue !== undefined) return [];
      return [required(`${path}.averageValue`, "must set either a target value or averageValue")];
    case "external":
      if (value === undefined && averageValue === undefined) {
        const why = "must set either a target value for metric or a per-pod target";
        return [required(`${path}.averageValue`, why)];
      }
      if (value === undefined || averageValue === undefined) return [];
      return [
        forbiddenField(`${path}.value`, "may not set both a target value for metric and a per-pod target"),
      ];
    case "pods":
      if (averageValue !== undefined && quantitySign(averageValue) > 0) return [];
      return [required(`${path}.averageValue`, "must specify a positive target averageValue")];
    default:
      if (averageUtilization === undefined && averageValue === undefined) {
        const why = "must set either a target raw value or a target utilization";
        return [required(`${path}.averageUtilization`, why)];
      }
      if (averageUtilization === undefined || averageValue === undefined) return [];
      return [
        forbiddenField(
          `${path}.averageValue`,
          "may not set both a target raw value and a target utilization",
        ),
      ];
  }
}
