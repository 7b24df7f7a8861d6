import type { ClusterRole, PolicyRule } from "@binnacle/api";
import { labelSelectorFromObject, matchLabels } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { keyOf } from "@binnacle/client";
import {
  type ControllerDefinition,
  controllerNamed,
  done,
  enqueueMapped,
} from "@binnacle/controller-runtime";
import { clusterRoles } from "../../resource-types.ts";

/**
 * Fills ClusterRoles that collect the rules of others.
 *
 * Source: kubernetes v1.36 pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go.
 */
export const clusterRoleAggregationController: ControllerDefinition = controllerNamed(
  "clusterrole-aggregation-controller",
)
  .watches<ClusterRole>(
    clusterRoles,
    enqueueMapped((_role, { cache }) =>
      cache
        .list(clusterRoles)
        .filter((role) => role.aggregationRule !== undefined)
        .map(keyOf),
    ),
  )
  .reconcile(async (key, { client, cache }) => {
    const role = cache.get(clusterRoles, key);
    if (role?.aggregationRule === undefined) return done;
    const rules = aggregatedRules(role, cache.list(clusterRoles));
    if (!jsonEquals(rules, role.rules ?? [])) await client.update(clusterRoles, { ...role, rules });
    return done;
  });

/** The rules of all selected roles, by name, each rule once. */
export function aggregatedRules(role: ClusterRole, all: readonly ClusterRole[]): PolicyRule[] {
  const rules: PolicyRule[] = [];
  for (const selector of role.aggregationRule?.clusterRoleSelectors ?? []) {
    const matcher = labelSelectorFromObject(selector);
    const selected = all
      .filter(
        (each) => each.metadata.name !== role.metadata.name && matchLabels(matcher, each.metadata.labels),
      )
      .sort((a, b) => ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1));
    for (const each of selected)
      for (const rule of each.rules ?? [])
        if (!rules.some((present) => jsonEquals(present, rule))) rules.push(rule);
  }
  return rules;
}
