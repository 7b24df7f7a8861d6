import type { Entry } from "@binnacle/storage";
import { admit } from "./admit.ts";
import { commit } from "./commit.ts";
import { mutate } from "./mutate.ts";
import { prepare } from "./prepare.ts";
import { validate } from "./validate.ts";
import type { WriteContext } from "./write-context.ts";

/**
 * What happens to every write once its candidate object exists (decoded, defaulted, with its field owners), in this
 * order. Each step throws to refuse the write.
 *
 * Source: kubernetes v1.36 apiserver/pkg/endpoints/handlers/create.go, then pkg/registry/generic/registry/store.go.
 */
const STEPS: readonly ((write: WriteContext) => Promise<void> | void)[] = [
  mutate, //   mutating admission
  prepare, //  uid, times, generated name, generation; status is reset; addresses are reserved
  validate, // metadata and the kind's own rules, all errors at once
  admit, //    validating admission
];

/** Takes a write through every step and commits it. `conflict`: somebody else wrote in between. */
export async function runWritePath(write: WriteContext): Promise<WriteOutcome> {
  try {
    for (const step of STEPS) {
      const pending = step(write);
      if (pending !== undefined) await pending;
    }
    const outcome = await commit(write);
    if (outcome.kind === "conflict") write.undo?.();
    return outcome;
  } catch (error) {
    write.undo?.();
    throw error;
  }
}

export type WriteOutcome =
  | { readonly kind: "stored"; readonly entry: Entry }
  /** The object went away with its last finalizer. */
  | { readonly kind: "deleted"; readonly entry: Entry }
  /** A dry run: nothing was stored. */
  | { readonly kind: "dryRun" }
  | { readonly kind: "conflict"; readonly current: Entry | undefined };
