import { addQuantities, compareQuantities, parseQuantity, type Quantity } from "@binnacle/apimachinery";
import type { Container, Pod } from "../../generated/core-v1.generated.ts";

type Amounts = Map<string, Quantity>;

/**
 * What a pod needs at most at any time: all containers together, or one init container with the sidecars started before
 * it, whichever is more, and its overhead.
 *
 * Source: kubernetes v1.36 component-helpers/resource/helpers.go, PodRequests and PodLimits.
 */
export function podResources({ spec }: Pod, which: "requests" | "limits"): ReadonlyMap<string, Quantity> {
  const total: Amounts = new Map();
  for (const container of spec.containers) add(total, amounts(container, which));
  const sidecars: Amounts = new Map();
  const atStart: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = amounts(container, which);
    if (container.restartPolicy === "Always") {
      // Runs beside the containers, and beside the init containers after it.
      add(total, own);
      add(sidecars, own);
      raise(atStart, sidecars);
    } else {
      const beside: Amounts = new Map(own);
      add(beside, sidecars);
      raise(atStart, beside);
    }
  }
  raise(total, atStart);
  // What is said of the pod as a whole counts instead of the sum.
  for (const [name, text] of Object.entries(spec.resources?.[which] ?? {}))
    total.set(name, parseQuantity(text));
  for (const [name, text] of Object.entries(spec.overhead ?? {}))
    if (which === "requests" || total.has(name)) add(total, new Map([[name, parseQuantity(text)]]));
  return total;
}

function amounts(container: Container, which: "requests" | "limits"): Amounts {
  return new Map(
    Object.entries(container.resources?.[which] ?? {}).map(([name, text]) => [name, parseQuantity(text)]),
  );
}

function add(into: Amounts, more: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of more) {
    const present = into.get(name);
    into.set(name, present === undefined ? amount : addQuantities(present, amount));
  }
}

function raise(into: Amounts, other: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of other) {
    const present = into.get(name);
    if (present === undefined || compareQuantities(present, amount) < 0) into.set(name, amount);
  }
}
