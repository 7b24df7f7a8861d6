import { type Namespace, validateNamespaceFinalizers } from "@binnacle/api";
import { invalidObject, type UnstructuredObject } from "@binnacle/apimachinery";
import {
  decodeBody,
  negotiateFor,
  objectOf,
  ownedBy,
  parseWriteOptions,
  type ResourceHooks,
  updateStored,
} from "@binnacle/apiserver";
import { cloneJson } from "@binnacle/base";

/** Deletion of a namespace: it stays, Terminating, until its own finalizers are gone. */
export const namespaceHooks: ResourceHooks = {
  markForDeletion(object) {
    const namespace = object as unknown as Namespace; // Stored under namespaces.
    if ((namespace.spec?.finalizers ?? []).length === 0) return undefined;
    const marked = cloneJson(object) as unknown as Namespace & UnstructuredObject;
    marked.status = { ...marked.status, phase: "Terminating" };
    return marked;
  },
  isFinalized: (object) => ((object as unknown as Namespace).spec?.finalizers ?? []).length === 0,
  subresources: {
    finalize: {
      verbs: ["update"],
      kind: { group: "", version: "v1", kind: "Namespace" },
      async handle({ core, request, served }) {
        const representation = negotiateFor(request, false);
        const options = parseWriteOptions(request, "UpdateOptions");
        const { group, version, kind, schema } = served;
        const given = (await decodeBody(
          core,
          request,
          { group, version, kind, schema, hubGroup: "" },
          options,
        )) as unknown as Namespace;
        return updateStored(core, request, served, {
          subresource: "finalize",
          options,
          representation,
          tries: 5,
          candidate(old) {
            // Only the finalizers of the spec are this subresource's to change.
            const object = cloneJson(objectOf(old)) as unknown as Namespace & UnstructuredObject;
            object.spec = { ...object.spec };
            if ((given.spec?.finalizers ?? []).length === 0) delete object.spec.finalizers;
            else object.spec.finalizers = [...(given.spec?.finalizers ?? [])];
            const errors = validateNamespaceFinalizers(object);
            if (errors.length > 0) throw invalidObject(served.definition, request.info.name, errors);
            return ownedBy(core, served, "finalize", options, object, old);
          },
        });
      },
    },
  },
};
