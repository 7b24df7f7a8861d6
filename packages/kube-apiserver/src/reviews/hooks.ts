import type {
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
  TokenReview,
} from "@binnacle/api";
import { badRequest, invalidObject, type KubeObject, type UnstructuredObject } from "@binnacle/apimachinery";
import {
  type Authorizer,
  asAuthenticated,
  type HookContext,
  MASTERS_GROUP,
  type ResourceHooks,
  type UserInfo,
} from "@binnacle/apiserver";
import type { ServiceAccountTokens } from "../authentication/service-account-tokens.ts";
import type { TokenTable } from "../authentication/token-file.ts";
import type { RbacAuthorizer } from "../authorization/rbac/rbac-authorizer.ts";
import type { PolicyRule } from "../authorization/rbac/rule-matcher.ts";

/** What the reviews ask. */
export interface ReviewSources {
  readonly authorizer: Authorizer;
  readonly rbac: RbacAuthorizer | undefined;
  readonly tokens: TokenTable;
  readonly serviceAccounts: ServiceAccountTokens;
}

type AccessSpec = SubjectAccessReview["spec"];

/** Hooks of the kinds that are answered and never stored, by `resource.group`. */
export function reviewHooks(sources: ReviewSources): ReadonlyMap<string, ResourceHooks> {
  const self = (
    context: HookContext,
    object: UnstructuredObject & KubeObject,
  ): Promise<UnstructuredObject> => {
    const review = object as unknown as SelfSubjectAccessReview;
    return reviewAccess(sources, context, object, review.spec, context.request.user);
  };
  const other = (
    context: HookContext,
    object: UnstructuredObject & KubeObject,
  ): Promise<UnstructuredObject> => {
    const { spec } = object as unknown as SubjectAccessReview;
    return reviewAccess(sources, context, object, spec, {
      name: spec.user ?? "",
      groups: spec.groups ?? [],
      ...(spec.uid === undefined ? {} : { uid: spec.uid }),
      ...(spec.extra === undefined ? {} : { extra: spec.extra }),
    });
  };
  return new Map<string, ResourceHooks>([
    ["selfsubjectaccessreviews.authorization.k8s.io", { answer: self }],
    ["subjectaccessreviews.authorization.k8s.io", { answer: other }],
    ["localsubjectaccessreviews.authorization.k8s.io", { answer: other }],
    [
      "selfsubjectrulesreviews.authorization.k8s.io",
      { answer: (context, object) => reviewRules(sources, context, object) },
    ],
    ["selfsubjectreviews.authentication.k8s.io", { answer: reviewSelf }],
    ["tokenreviews.authentication.k8s.io", { answer: (_context, object) => reviewToken(sources, object) }],
  ]);
}

/** Source: kubernetes v1.36 pkg/registry/authorization/subjectaccessreview/rest.go. */
async function reviewAccess(
  sources: ReviewSources,
  { served }: HookContext,
  review: UnstructuredObject & KubeObject,
  spec: AccessSpec | SelfSubjectAccessReview["spec"],
  user: UserInfo,
): Promise<UnstructuredObject> {
  const errors = served.definition.strategy.validate?.(review) ?? [];
  // Upstream names no kind here.
  if (errors.length > 0) throw invalidObject({ group: served.group, kind: "" }, "", errors);
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  const isMaster = user.groups.includes(MASTERS_GROUP);
  const decision = isMaster
    ? { verdict: "allow" as const, reason: "" }
    : await sources.authorizer.authorize({
        user,
        verb: resource?.verb ?? path?.verb ?? "",
        isResourceRequest: resource !== undefined,
        group: resource?.group ?? "",
        version: resource?.version ?? "",
        resource: resource?.resource ?? "",
        subresource: resource?.subresource ?? "",
        namespace: resource?.namespace ?? "",
        name: resource?.name ?? "",
        path: path?.path ?? "",
      });
  const status: Record<string, unknown> = { allowed: decision.verdict === "allow" };
  if (decision.verdict === "deny") status["denied"] = true;
  if (decision.reason !== undefined && decision.reason !== "") status["reason"] = decision.reason;
  return { ...review, status };
}

function reviewRules(
  sources: ReviewSources,
  context: HookContext,
  review: UnstructuredObject,
): UnstructuredObject {
  const { spec } = review as unknown as SelfSubjectRulesReview;
  const namespace = spec.namespace ?? "";
  if (namespace === "") throw badRequest("no namespace on request");
  const { user } = context.request;
  const everything: PolicyRule[] = [
    { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
    { verbs: ["*"], nonResourceURLs: ["*"] },
  ];
  const isMaster = user.groups.includes(MASTERS_GROUP);
  const rules = [...(isMaster ? everything : []), ...(sources.rbac?.rulesFor(user, namespace) ?? [])];
  return {
    ...review,
    metadata: {}, // Upstream answers with a new object that holds nothing of the one it was asked with.
    spec: {},
    status: {
      resourceRules: rules.filter((rule) => (rule.resources ?? []).length > 0).map(resourceRule),
      nonResourceRules: rules
        .filter((rule) => (rule.nonResourceURLs ?? []).length > 0)
        .map((rule) => ({ verbs: [...rule.verbs], nonResourceURLs: [...(rule.nonResourceURLs ?? [])] })),
      incomplete: false,
    },
  };
}

function resourceRule(rule: PolicyRule): Record<string, unknown> {
  const result: Record<string, unknown> = {
    verbs: [...rule.verbs],
    apiGroups: [...(rule.apiGroups ?? [])],
    resources: [...(rule.resources ?? [])],
  };
  if ((rule.resourceNames ?? []).length > 0) result["resourceNames"] = [...(rule.resourceNames ?? [])];
  return result;
}

function reviewSelf(context: HookContext, review: UnstructuredObject): UnstructuredObject {
  const { core, request } = context;
  const creationTimestamp = `${new Date(core.clock.now()).toISOString().slice(0, 19)}Z`;
  return { ...review, metadata: { creationTimestamp }, status: { userInfo: toUserInfo(request.user) } };
}

/** Source: pkg/registry/authentication/tokenreview/storage.go. */
function reviewToken(sources: ReviewSources, review: UnstructuredObject): UnstructuredObject {
  const { spec } = review as unknown as TokenReview;
  const token = spec.token ?? "";
  if (token === "") throw badRequest("token is required for TokenReview in authentication");
  const { issuer } = sources.serviceAccounts;
  const wanted = (spec.audiences ?? []).length === 0 ? [issuer] : (spec.audiences ?? []);
  const known = sources.tokens.find(token);
  if (known !== undefined) {
    return answered(review, {
      authenticated: true,
      user: toUserInfo(asAuthenticated(known)),
      audiences: wanted,
    });
  }
  const user = sources.serviceAccounts.authenticate(token, wanted);
  if (user !== undefined) {
    const own = sources.serviceAccounts.audiencesOf(token) ?? [];
    const audiences = wanted.filter((audience) => own.includes(audience));
    return answered(review, { authenticated: true, user: toUserInfo(asAuthenticated(user)), audiences });
  }
  return answered(review, { user: {}, error: whyNot(sources, token, wanted) });
}

function whyNot(sources: ReviewSources, token: string, wanted: readonly string[]): string {
  const own = sources.serviceAccounts.audiencesOf(token);
  if (own === undefined) return "invalid bearer token";
  if (!own.some((audience) => wanted.includes(audience))) {
    const [given, target] = [own, wanted].map(
      (list) => `[${list.map((each) => JSON.stringify(each)).join(" ")}]`,
    );
    return `[invalid bearer token, token audiences ${given} is invalid for the target audiences ${target}]`;
  }
  return `[invalid bearer token, ${sources.serviceAccounts.explain(token)}]`;
}

function answered(review: UnstructuredObject, status: Record<string, unknown>): UnstructuredObject {
  return { ...review, status };
}

function toUserInfo(user: UserInfo): Record<string, unknown> {
  return {
    username: user.name,
    ...(user.uid === undefined || user.uid === "" ? {} : { uid: user.uid }),
    ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
    ...(user.extra === undefined ? {} : { extra: user.extra }),
  };
}
