import type { ResourceDefinition } from "@binnacle/apimachinery";
import type { SelfSubjectReview } from "../../generated/authentication-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** Who the caller is. */
export const selfSubjectReviews: ResourceDefinition<SelfSubjectReview> = {
  group: "authentication.k8s.io",
  version: "v1",
  kind: "SelfSubjectReview",
  resource: "selfsubjectreviews",
  singular: "selfsubjectreview",
  listKind: "SelfSubjectReviewList",
  namespaced: false,
  schema: builtinSchema("authentication.v1.SelfSubjectReview"),
  strategy: {},
  verbs: ["create"],
  virtual: true,
};
