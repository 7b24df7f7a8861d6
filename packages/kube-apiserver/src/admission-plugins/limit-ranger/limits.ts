/**
 * What a LimitRange says about pods and claims: pure.
 *
 * Source: kubernetes v1.36 plugin/pkg/admission/limitranger/admission.go.
 */
import {
  aggregateContainers,
  type Container,
  type LimitRange,
  type LimitRangeItem,
  type PersistentVolumeClaim,
  type Pod,
} from "@binnacle/api";
import { compareQuantities, quantitySign, quantityToNumber } from "@binnacle/apimachinery";
import { setOwn } from "@binnacle/base";

type Amounts = Readonly<Record<string, string>>;

/** Where a pod keeps what was set for it. */
const ANNOTATION = "kubernetes.io/limit-ranger";

/** Gives containers the requests and limits that they leave out, and notes on the pod what was set. */
export function setDefaultResources({ spec }: LimitRange, pod: Pod): void {
  const requests: Record<string, string> = {};
  const limits: Record<string, string> = {};
  for (const item of spec.limits) {
    if (item.type !== "Container") continue;
    Object.assign(requests, item.defaultRequest);
    Object.assign(limits, item.default);
  }
  const notes = [
    ...pod.spec.containers.flatMap((container) => fillContainer(container, "container", requests, limits)),
    ...(pod.spec.initContainers ?? []).flatMap((container) =>
      fillContainer(container, "init container", requests, limits),
    ),
  ];
  if (notes.length === 0) return;
  pod.metadata.annotations ??= {};
  pod.metadata.annotations[ANNOTATION] = `LimitRanger plugin set: ${notes.join("; ")}`;
}

/** Why the pod is outside of the limits; empty when it is not. */
export function podViolations({ spec }: LimitRange, pod: Pod): string[] {
  return spec.limits.flatMap((item) => {
    if (item.type === "Container") {
      return [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].flatMap(({ resources }) =>
        violations(item, resources?.requests ?? {}, resources?.limits ?? {}),
      );
    }
    return item.type === "Pod"
      ? violations(item, podAmounts(pod, "requests"), podAmounts(pod, "limits"))
      : [];
  });
}

/** Why the claim is outside of the limits; empty when it is not. Only what it requests matters. */
export function claimViolations({ spec }: LimitRange, claim: PersistentVolumeClaim): string[] {
  const requests = claim.spec?.resources?.requests ?? {};
  return spec.limits
    .filter(({ type }) => type === "PersistentVolumeClaim")
    .flatMap((item) => [
      ...forEach(item.min, (name, min) => belowMinimum(item.type, name, min, requests, {})),
      ...forEach(item.max, (name, max) => {
        const limit = `maximum ${name} usage per ${item.type} is ${max}`;
        const request = amountOf(requests, name);
        if (request === undefined) return `${limit}.  No request is specified`;
        return isMore(request, max) ? `${limit}, but request is ${request}` : undefined;
      }),
    ]);
}

/** As one text: each violation once. Source: apimachinery/pkg/util/errors/errors.go, aggregate.Error. */
export function joinViolations(all: readonly string[]): string {
  const unique = [...new Set(all)];
  return unique.length === 1 ? unique[0]! : `[${unique.join(", ")}]`;
}

function fillContainer(container: Container, what: string, requests: Amounts, limits: Amounts): string[] {
  const fill = (kind: "requests" | "limits", defaults: Amounts): string[] => {
    const present = container.resources?.[kind] ?? {};
    const missing = Object.keys(defaults)
      .filter((name) => !Object.hasOwn(present, name))
      .sort();
    if (missing.length === 0) return [];
    const filled = { ...present };
    for (const name of missing) setOwn(filled, name, defaults[name]!);
    container.resources = { ...container.resources, [kind]: filled };
    return [
      `${missing.join(", ")} ${kind === "requests" ? "request" : "limit"} for ${what} ${container.name}`,
    ];
  };
  // Requests are noted first.
  return [...fill("requests", requests), ...fill("limits", limits)];
}

/** What the pod asks for as a whole; its overhead does not count here. */
function podAmounts({ spec }: Pod, kind: "requests" | "limits"): Amounts {
  const total = aggregateContainers(spec, kind);
  for (const name of ["cpu", "memory"]) {
    const amount = spec.resources?.[kind]?.[name];
    if (amount !== undefined) total[name] = amount;
  }
  return total;
}

function violations(item: LimitRangeItem, requests: Amounts, limits: Amounts): string[] {
  const { type } = item;
  return [
    ...forEach(item.min, (name, min) => belowMinimum(type, name, min, requests, limits)),
    ...forEach(item.max, (name, max) => aboveMaximum(type, name, max, requests, limits)),
    ...forEach(item.maxLimitRequestRatio, (name, max) => aboveRatio(type, name, max, requests, limits)),
  ];
}

function forEach(
  amounts: Amounts | undefined,
  check: (name: string, amount: string) => string | undefined,
): string[] {
  return Object.keys(amounts ?? {})
    .sort()
    .flatMap((name) => check(name, amounts?.[name] ?? "0") ?? []);
}

function belowMinimum(
  type: string,
  name: string,
  min: string,
  requests: Amounts,
  limits: Amounts,
): string | undefined {
  const bound = `minimum ${name} usage per ${type} is ${min}`;
  const request = amountOf(requests, name);
  const limit = amountOf(limits, name);
  if (request === undefined) return `${bound}.  No request is specified`;
  if (isMore(min, request)) return `${bound}, but request is ${request}`;
  return limit !== undefined && isMore(min, limit) ? `${bound}, but limit is ${limit}` : undefined;
}

function aboveMaximum(
  type: string,
  name: string,
  max: string,
  requests: Amounts,
  limits: Amounts,
): string | undefined {
  const bound = `maximum ${name} usage per ${type} is ${max}`;
  const request = amountOf(requests, name);
  const limit = amountOf(limits, name);
  if (limit === undefined) return `${bound}.  No limit is specified`;
  if (isMore(limit, max)) return `${bound}, but limit is ${limit}`;
  return request !== undefined && isMore(request, max) ? `${bound}, but request is ${request}` : undefined;
}

function aboveRatio(
  type: string,
  name: string,
  max: string,
  requests: Amounts,
  limits: Amounts,
): string | undefined {
  const bound = `${name} max limit to request ratio per ${type} is ${max}`;
  const request = amountOf(requests, name);
  const limit = amountOf(limits, name);
  if (request === undefined || quantitySign(request) === 0)
    return `${bound}, but no request is specified or request is 0`;
  if (limit === undefined || quantitySign(limit) === 0)
    return `${bound}, but no limit is specified or limit is 0`;
  const ratio = quantityToNumber(limit) / quantityToNumber(request);
  return ratio > quantityToNumber(max) ? `${bound}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

function amountOf(amounts: Amounts, name: string): string | undefined {
  return Object.hasOwn(amounts, name) ? amounts[name] : undefined;
}

function isMore(a: string, b: string): boolean {
  return compareQuantities(a, b) > 0;
}
