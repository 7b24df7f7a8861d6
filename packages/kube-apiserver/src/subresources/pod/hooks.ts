import {
  type Pod,
  prepareEphemeralContainersForUpdate,
  prepareResizeForUpdate,
  validateEphemeralContainersUpdate,
  validateResizeUpdate,
} from "@binnacle/api";
import { objectSubresource, type ResourceHooks } from "@binnacle/apiserver";
import { podConnections } from "../node-connections.ts";
import { bindPod } from "./binding.ts";
import { evictPod } from "./eviction.ts";
import { refuseWhatNodeLacks } from "./resize.ts";

const POD = { group: "", version: "v1", kind: "Pod" };

/** What pods can do beyond being stored. */
export const podHooks: ResourceHooks = {
  subresources: {
    ...podConnections,
    ephemeralcontainers: objectSubresource<Pod>(
      {
        name: "ephemeralcontainers",
        prepareForUpdate: prepareEphemeralContainersForUpdate,
        validateUpdate: validateEphemeralContainersUpdate,
      },
      POD,
    ),
    resize: objectSubresource<Pod>(
      {
        name: "resize",
        prepareForUpdate: prepareResizeForUpdate,
        validateUpdate: validateResizeUpdate,
        admit: refuseWhatNodeLacks,
      },
      POD,
    ),
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
