import type { ResourceDefinition } from "@binnacle/apimachinery";
import type { TokenReview } from "../../generated/authentication-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** Whose token this is. */
export const tokenReviews: ResourceDefinition<TokenReview> = {
  group: "authentication.k8s.io",
  version: "v1",
  kind: "TokenReview",
  resource: "tokenreviews",
  singular: "tokenreview",
  listKind: "TokenReviewList",
  namespaced: false,
  schema: builtinSchema("authentication.v1.TokenReview"),
  strategy: {},
  verbs: ["create"],
  virtual: true,
};
