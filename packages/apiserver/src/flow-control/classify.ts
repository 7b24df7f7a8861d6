import type { RequestInfo } from "../request/request-info.ts";
import type { UserInfo } from "../request/user-info.ts";

/** Which requests belong together. The shape of flowcontrol.apiserver.k8s.io/v1 FlowSchema's spec, as far as it is used. */
export interface FlowSchemaSpec {
  readonly priorityLevelConfiguration: { readonly name: string };
  readonly matchingPrecedence?: number;
  readonly distinguisherMethod?: { readonly type: string };
  readonly rules?: readonly FlowRule[];
}

export interface FlowRule {
  readonly subjects: readonly FlowSubject[];
  readonly resourceRules?: readonly ResourceFlowRule[];
  readonly nonResourceRules?: readonly {
    readonly verbs: readonly string[];
    readonly nonResourceURLs: readonly string[];
  }[];
}

export interface FlowSubject {
  readonly kind: string;
  readonly user?: { readonly name: string };
  readonly group?: { readonly name: string };
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

export interface ResourceFlowRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[];
}

const EVERY = "*";

/** Whether a schema is about a request. Source: kubernetes v1.36 apiserver/pkg/util/flowcontrol/rule.go. */
export function matchesFlow(spec: FlowSchemaSpec, user: UserInfo, info: RequestInfo): boolean {
  return (spec.rules ?? []).some(
    (rule) => rule.subjects.some((subject) => isSubject(subject, user)) && matchesTarget(rule, info),
  );
}

/** What tells the flows of a schema apart: the user, the namespace, or nothing. */
export function distinguisherOf(spec: FlowSchemaSpec, user: UserInfo, info: RequestInfo): string {
  switch (spec.distinguisherMethod?.type) {
    case "ByUser":
      return user.name;
    case "ByNamespace":
      return info.namespace;
    default:
      return "";
  }
}

function isSubject(subject: FlowSubject, user: UserInfo): boolean {
  switch (subject.kind) {
    case "User":
      return subject.user?.name === EVERY || subject.user?.name === user.name;
    case "Group":
      return subject.group?.name === EVERY || user.groups.includes(subject.group?.name ?? "");
    case "ServiceAccount": {
      const { namespace = "", name = "" } = subject.serviceAccount ?? {};
      const prefix = `system:serviceaccount:${namespace}:`;
      return name === EVERY ? user.name.startsWith(prefix) : user.name === prefix + name;
    }
    default:
      return false;
  }
}

function matchesTarget(rule: FlowRule, info: RequestInfo): boolean {
  if (info.isResourceRequest) return (rule.resourceRules ?? []).some((each) => matchesResource(each, info));
  return (rule.nonResourceRules ?? []).some(
    ({ verbs, nonResourceURLs }) =>
      holds(verbs, info.verb) && nonResourceURLs.some((pattern) => matchesPath(pattern, info.path)),
  );
}

function matchesResource(rule: ResourceFlowRule, info: RequestInfo): boolean {
  const resource = info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`;
  const isInScope =
    info.namespace === "" ? rule.clusterScope === true : holds(rule.namespaces ?? [], info.namespace);
  return (
    isInScope &&
    holds(rule.verbs, info.verb) &&
    holds(rule.apiGroups, info.group) &&
    holds(rule.resources, resource)
  );
}

function matchesPath(pattern: string, path: string): boolean {
  if (pattern === EVERY) return true;
  return pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

function holds(list: readonly string[], value: string): boolean {
  return list.includes(EVERY) || list.includes(value);
}
