import type { ResourceDefinition } from "@binnacle/apimachinery";
import type { SelfSubjectRulesReview } from "../../generated/authorization-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** What the caller may do in a namespace. */
export const selfSubjectRulesReviews: ResourceDefinition<SelfSubjectRulesReview> = {
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SelfSubjectRulesReview",
  resource: "selfsubjectrulesreviews",
  singular: "selfsubjectrulesreview",
  listKind: "SelfSubjectRulesReviewList",
  namespaced: false,
  schema: builtinSchema("authorization.v1.SelfSubjectRulesReview"),
  strategy: {},
  verbs: ["create"],
  virtual: true,
};
