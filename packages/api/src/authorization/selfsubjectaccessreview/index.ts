import type { ResourceDefinition } from "@binnacle/apimachinery";
import type { SelfSubjectAccessReview } from "../../generated/authorization-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { validateSelfSubjectAccessReview } from "../subjectaccessreview/validation.ts";

/** Whether the caller may do something. */
export const selfSubjectAccessReviews: ResourceDefinition<SelfSubjectAccessReview> = {
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SelfSubjectAccessReview",
  resource: "selfsubjectaccessreviews",
  singular: "selfsubjectaccessreview",
  listKind: "SelfSubjectAccessReviewList",
  namespaced: false,
  schema: builtinSchema("authorization.v1.SelfSubjectAccessReview"),
  strategy: { validate: validateSelfSubjectAccessReview },
  verbs: ["create"],
  virtual: true,
};
