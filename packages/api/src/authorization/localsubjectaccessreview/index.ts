import type { ResourceDefinition } from "@binnacle/apimachinery";
import type { LocalSubjectAccessReview } from "../../generated/authorization-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { validateLocalSubjectAccessReview } from "../subjectaccessreview/validation.ts";

/** Whether somebody may do something in a namespace. */
export const localSubjectAccessReviews: ResourceDefinition<LocalSubjectAccessReview> = {
  group: "authorization.k8s.io",
  version: "v1",
  kind: "LocalSubjectAccessReview",
  resource: "localsubjectaccessreviews",
  singular: "localsubjectaccessreview",
  listKind: "LocalSubjectAccessReviewList",
  namespaced: true,
  schema: builtinSchema("authorization.v1.LocalSubjectAccessReview"),
  strategy: { validate: validateLocalSubjectAccessReview },
  verbs: ["create"],
  virtual: true,
};
