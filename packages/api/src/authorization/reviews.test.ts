import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import { validateTokenRequest } from "../authentication/tokenrequest/index.ts";
import {
  validateLocalSubjectAccessReview,
  validateSelfSubjectAccessReview,
  validateSubjectAccessReview,
} from "./subjectaccessreview/validation.ts";

const metadata = {};
const nonResourceAttributes = { path: "/x", verb: "get" };

describe("access reviews", () => {
  it("ask one thing", () => {
    expect(formatFieldErrors(validateSelfSubjectAccessReview({ metadata, spec: {} }))).toBe(
      "spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified",
    );
    const both = { resourceAttributes: {}, nonResourceAttributes };
    expect(formatFieldErrors(validateSelfSubjectAccessReview({ metadata, spec: both }))).toBe(
      'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: cannot be specified in combination with resourceAttributes',
    );
  });

  it("ask about somebody", () => {
    expect(
      formatFieldErrors(validateSubjectAccessReview({ metadata, spec: { nonResourceAttributes } })),
    ).toBe('spec.user: Invalid value: "": at least one of user or group must be specified');
  });

  it("have no metadata", () => {
    const review = { metadata: { name: "x" }, spec: { nonResourceAttributes } };
    expect(formatFieldErrors(validateSelfSubjectAccessReview(review))).toBe(
      'metadata: Invalid value: {"name":"x"}: must be empty',
    );
  });

  it("of a namespace stay in it", () => {
    const review = {
      metadata: { namespace: "n" },
      spec: { user: "u", resourceAttributes: { namespace: "other" } },
    };
    expect(formatFieldErrors(validateLocalSubjectAccessReview(review))).toBe(
      'spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace',
    );
  });
});

it("tokens live ten minutes at least", () => {
  const errors = validateTokenRequest({ metadata, spec: { audiences: [], expirationSeconds: 60 } });
  expect(formatFieldErrors(errors)).toBe(
    "spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes",
  );
});
