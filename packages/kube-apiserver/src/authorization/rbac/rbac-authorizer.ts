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
    for (const { rules, source } of this.#grants(attributes.user, attributes.namespace)) {
      if (rules.some((rule) => ruleAllows(rule, attributes))) {
        return { verdict: "allow", reason: `RBAC: allowed by ${source}` };
      }
    }
    return { verdict: "noOpinion" };
  }

  /** Every rule a user has in a namespace ("" for cluster-wide rules only). */
  rulesFor(user: UserInfo, namespace: string): PolicyRule[] {
    return [...this.#grants(user, namespace)].flatMap(({ rules }) => [...rules]);
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

  *#grants(user: UserInfo, namespace: string): Generator<{ rules: readonly PolicyRule[]; source: string }> {
    for (const entry of this.#storage.range({ prefix: `${RBAC}/clusterrolebindings/` }).entries) {
      const binding = objectOf<ClusterRoleBinding>(entry);
      const subject = (binding.subjects ?? []).find((each) => appliesTo(each, user, ""));
      if (subject === undefined) continue;
      const rules = this.rulesOf(binding.roleRef, "");
      if (rules === undefined) continue;
      yield {
        rules,
        source: `ClusterRoleBinding ${JSON.stringify(binding.metadata.name)} of ${binding.roleRef.kind} ${JSON.stringify(binding.roleRef.name)} to ${describe(subject)}`,
      };
    }
    if (namespace === "") return;
    for (const entry of this.#storage.range({ prefix: `${RBAC}/rolebindings/${namespace}/` }).entries) {
      const binding = objectOf<RoleBinding>(entry);
      const subject = (binding.subjects ?? []).find((each) => appliesTo(each, user, namespace));
      if (subject === undefined) continue;
      const rules = this.rulesOf(binding.roleRef, namespace);
      if (rules === undefined) continue;
      yield {
        rules,
        source: `RoleBinding ${JSON.stringify(`${binding.metadata.name}/${namespace}`)} of ${binding.roleRef.kind} ${JSON.stringify(binding.roleRef.name)} to ${describe(subject)}`,
      };
    }
  }
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

function describe(subject: Subject): string {
  const name =
    subject.kind === "ServiceAccount" ? `${subject.name}/${subject.namespace ?? ""}` : subject.name;
  return `${subject.kind} ${JSON.stringify(name)}`;
}
