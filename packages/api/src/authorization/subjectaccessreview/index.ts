import type { ResourceDefinition } from "@binnacle/apimachinery";
import type { SubjectAccessReview } from "../../generated/authorization-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { validateSubjectAccessReview } from "./validation.ts";

/** Whether somebody may do something. */
export const subjectAccessReviews: ResourceDefinition<SubjectAccessReview> = {
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SubjectAccessReview",
  resource: "subjectaccessreviews",
  singular: "subjectaccessreview",
  listKind: "SubjectAccessReviewList",
  namespaced: false,
  schema: builtinSchema("authorization.v1.SubjectAccessReview"),
  strategy: { validate: validateSubjectAccessReview },
  verbs: ["create"],
  virtual: true,
};
