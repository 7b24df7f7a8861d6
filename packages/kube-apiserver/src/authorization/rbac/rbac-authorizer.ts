import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "@binnacle/api";
import {
  type AuthorizationAttributes,
  type Authorizer,
  type Decision,
  objectOf,
  type UserInfo,
} from "@binnacle/apiserver";
import type { Storage } from "@binnacle/storage";
import { type PolicyRule, ruleAllows } from "./rule-matcher.ts";

const RBAC = "/registry/rbac.authorization.k8s.io";

/** A subject of a binding. */
export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/**
 * Allows what roles and bindings say. Reads them where they are stored, so a change takes effect with its
 * acknowledgement.
 *
 * Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac/rbac.go and pkg/registry/rbac/validation/rule.go.
 */
export class RbacAuthorizer implements Authorizer {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  authorize(attributes: AuthorizationAttributes): Decision {
    const missing: string[] = [];
    for (const { rules, binding, source } of this.#grants(attributes.user, attributes.namespace)) {
      if (rules === undefined) missing.push(roleNotFound(binding.roleRef));
      else if (rules.some((rule) => ruleAllows(rule, attributes))) {
        return { verdict: "allow", reason: `RBAC: allowed by ${source()}` };
      }
    }
    if (missing.length === 0) return { verdict: "noOpinion" };
    const problems = [...new Set(missing)];
    const reason = problems.length === 1 ? problems[0]! : `[${problems.join(", ")}]`;
    return { verdict: "noOpinion", reason: `RBAC: ${reason}` };
  }

  /** Every rule a user has in a namespace ("" for cluster-wide rules only). */
  rulesFor(user: UserInfo, namespace: string): PolicyRule[] {
    return [...this.#grants(user, namespace)].flatMap(({ rules }) => [...(rules ?? [])]);
  }

  /** The rules of the role that a binding refers to; undefined when there is no such role. */
  rulesOf(reference: { kind: string; name: string }, namespace: string): readonly PolicyRule[] | undefined {
    const key =
      reference.kind === "Role"
        ? `${RBAC}/roles/${namespace}/${reference.name}`
        : `${RBAC}/clusterroles/${reference.name}`;
    const entry = this.#storage.get(key);
    if (entry === undefined) return undefined;
    return (objectOf<ClusterRole | Role>(entry).rules ?? []) as readonly PolicyRule[]; // Validated rules have this shape.
  }

  /** The bindings that are about a user, in order. */
  *#grants(user: UserInfo, namespace: string): Generator<Grant> {
    for (const entry of this.#storage.range({ prefix: `${RBAC}/clusterrolebindings/` }).entries) {
      const binding = objectOf<ClusterRoleBinding>(entry);
      const subject = (binding.subjects ?? []).find((each) => appliesTo(each, user, ""));
      if (subject === undefined) continue;
      const source = (): string =>
        describe(`ClusterRoleBinding "${binding.metadata.name}"`, binding, subject);
      yield { rules: this.rulesOf(binding.roleRef, ""), binding, source };
    }
    if (namespace === "") return;
    for (const entry of this.#storage.range({ prefix: `${RBAC}/rolebindings/${namespace}/` }).entries) {
      const binding = objectOf<RoleBinding>(entry);
      const subject = (binding.subjects ?? []).find((each) => appliesTo(each, user, namespace));
      if (subject === undefined) continue;
      const source = (): string =>
        describe(`RoleBinding "${binding.metadata.name}/${namespace}"`, binding, subject);
      yield { rules: this.rulesOf(binding.roleRef, namespace), binding, source };
    }
  }
}

/** A binding that is about a user. */
interface Grant {
  /** Undefined: the role does not exist. */
  readonly rules: readonly PolicyRule[] | undefined;
  readonly binding: RoleBinding | ClusterRoleBinding;
  /** Says in words where the rules come from. */
  readonly source: () => string;
}

/** Source: kubernetes v1.36 pkg/registry/rbac/validation/rule.go: the singular stands where others have the resource. */
function roleNotFound({ kind, name }: { kind: string; name: string }): string {
  return `${kind.toLowerCase()}.rbac.authorization.k8s.io ${JSON.stringify(name)} not found`;
}

function appliesTo(subject: Subject, user: UserInfo, namespace: string): boolean {
  switch (subject.kind) {
    case "User":
      return subject.name === user.name;
    case "Group":
      return user.groups.includes(subject.name);
    case "ServiceAccount": {
      const home =
        subject.namespace === undefined || subject.namespace === "" ? namespace : subject.namespace;
      return home !== "" && user.name === `system:serviceaccount:${home}:${subject.name}`;
    }
    default:
      return false;
  }
}

function describe(what: string, { roleRef }: RoleBinding | ClusterRoleBinding, subject: Subject): string {
  const name =
    subject.kind === "ServiceAccount" ? `${subject.name}/${subject.namespace ?? ""}` : subject.name;
  return `${what} of ${roleRef.kind} "${roleRef.name}" to ${subject.kind} "${name}"`;
}
