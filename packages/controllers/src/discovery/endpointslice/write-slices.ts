import { isNotFound } from "@binnacle/apimachinery";
import type { ReconcileContext } from "@binnacle/controller-runtime";
import { isNamespaceTerminating } from "../../pod-control/pod-from-template.ts";
import { endpointSlices } from "../../resource-types.ts";
import type { SlicePlan } from "./slice-plan.ts";

/** Carries out a plan. A namespace that is going away needs no slices. */
export async function writeSlices(plan: SlicePlan, { client }: ReconcileContext): Promise<void> {
  for (const slice of plan.create) {
    try {
      await client.create(endpointSlices, slice);
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
  }
  for (const slice of plan.update) await client.update(endpointSlices, slice);
  for (const slice of plan.delete) {
    try {
      await client.delete(endpointSlices, slice);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
