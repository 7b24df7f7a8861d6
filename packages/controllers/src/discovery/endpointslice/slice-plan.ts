/**
 * Spreads endpoints over EndpointSlices with few writes: pure.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/endpointslice/reconciler.go, reconcileByPortMapping.
 */
import type { Endpoint, EndpointSlice } from "@binnacle/api";
import { jsonEquals } from "@binnacle/base";
import type { EndpointGroup } from "./service-endpoints.ts";

/** Source: kubernetes v1.36 pkg/controller/endpointslice/config, MaxEndpointsPerSlice. */
export const MAX_ENDPOINTS = 100;

/** What all slices of one Service and family share. */
export interface SliceFrame {
  readonly namespace: string;
  readonly generateName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly ownerReferences: NonNullable<EndpointSlice["metadata"]["ownerReferences"]>;
  readonly addressType: string;
}

export interface SlicePlan {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
  readonly delete: readonly EndpointSlice[];
}

/** How to get from the slices there are, all of the frame's family, to these endpoints. */
export function planSlices(
  frame: SliceFrame,
  groups: readonly EndpointGroup[],
  existing: readonly EndpointSlice[],
  maxEndpoints: number = MAX_ENDPOINTS,
): SlicePlan {
  const create: EndpointSlice[] = [];
  const update: EndpointSlice[] = [];
  const unused = new Set(existing);
  // A Service without endpoints has one empty slice, so that "none" can be told from "not yet known".
  const wanted = groups.length === 0 ? [{ ports: [], endpoints: [] }] : groups;
  for (const group of wanted) {
    const matching = existing.filter((slice) => jsonEquals(slice.ports ?? [], group.ports));
    for (const slice of matching) unused.delete(slice);
    const plan = fill(group.endpoints, matching, maxEndpoints);
    for (const [slice, endpoints] of plan.filled) {
      if (endpoints.length === 0 && !(groups.length === 0 && slice === matching[0])) {
        unused.add(slice);
        continue;
      }
      const updated = framed(frame, slice, endpoints, group);
      if (!isSame(updated, slice)) update.push(updated);
    }
    for (const endpoints of plan.extra) create.push(framed(frame, undefined, endpoints, group));
    if (groups.length === 0 && matching.length === 0) create.push(framed(frame, undefined, [], group));
  }
  return { create, update, delete: [...unused] };
}

/** Keeps each endpoint where it is, and puts new ones where there is room, fullest slice first. */
function fill(
  endpoints: readonly Endpoint[],
  slices: readonly EndpointSlice[],
  maxEndpoints: number,
): { filled: Map<EndpointSlice, Endpoint[]>; extra: Endpoint[][] } {
  const rest = new Map(endpoints.map((endpoint) => [identify(endpoint), endpoint]));
  const filled = new Map<EndpointSlice, Endpoint[]>();
  for (const slice of slices) {
    const kept: Endpoint[] = [];
    for (const present of slice.endpoints ?? []) {
      const key = identify(present);
      const endpoint = rest.get(key);
      if (endpoint === undefined || kept.length >= maxEndpoints) continue;
      kept.push(endpoint);
      rest.delete(key);
    }
    filled.set(slice, kept);
  }
  const fullestFirst = [...filled].sort(([, a], [, b]) => b.length - a.length);
  const waiting = [...rest.values()];
  for (const [, kept] of fullestFirst)
    kept.push(...waiting.splice(0, Math.max(0, maxEndpoints - kept.length)));
  const extra: Endpoint[][] = [];
  while (waiting.length > 0) extra.push(waiting.splice(0, maxEndpoints));
  return { filled, extra };
}

/** The same pod at the same addresses. */
function identify({ addresses, targetRef, hostname }: Endpoint): string {
  return JSON.stringify([addresses, targetRef?.uid, hostname]);
}

function framed(
  frame: SliceFrame,
  slice: EndpointSlice | undefined,
  endpoints: Endpoint[],
  { ports }: EndpointGroup,
): EndpointSlice {
  const { namespace, generateName, labels, ownerReferences, addressType } = frame;
  const metadata =
    slice === undefined
      ? { namespace, generateName, labels: { ...labels }, ownerReferences }
      : { ...slice.metadata, labels: { ...labels }, ownerReferences };
  return { ...slice, metadata, addressType, endpoints, ports: [...ports] };
}

function isSame(a: EndpointSlice, b: EndpointSlice): boolean {
  return (
    jsonEquals(a.endpoints ?? [], b.endpoints ?? []) &&
    jsonEquals(a.metadata.labels ?? {}, b.metadata.labels ?? {}) &&
    jsonEquals(a.metadata.ownerReferences ?? [], b.metadata.ownerReferences ?? [])
  );
}
