import type { ResourceHooks } from "@binnacle/apiserver";
import { bindPod } from "./binding.ts";
import { evictPod } from "./eviction.ts";

/** What pods can do beyond being stored. */
export const podHooks: ResourceHooks = {
  subresources: {
    binding: {
      verbs: ["create"],
      kind: { group: "", version: "v1", kind: "Binding" },
      handle: ({ core, request, served }) => bindPod(core, request, served),
    },
    eviction: {
      verbs: ["create"],
      kind: { group: "policy", version: "v1", kind: "Eviction" },
      handle: ({ core, request, served }) => evictPod(core, request, served),
    },
  },
};
