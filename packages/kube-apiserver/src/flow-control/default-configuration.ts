import type { FlowSchema, PriorityLevelConfiguration } from "@binnacle/api";
import type { UnstructuredObject } from "@binnacle/apimachinery";
import { MASTERS_GROUP } from "@binnacle/apiserver";

type Rules = NonNullable<NonNullable<FlowSchema["spec"]>["rules"]>[number];
type Subjects = Rules["subjects"];
type LimitResponse = NonNullable<
  NonNullable<NonNullable<PriorityLevelConfiguration["spec"]>["limited"]>["limitResponse"]
>;

/** The server keeps the spec of objects that say so as it wants them. */
export const AUTO_UPDATE = "apf.kubernetes.io/autoupdate-spec";
/** These exist whatever anybody does. */
export const MANDATORY: ReadonlySet<string> = new Set(["exempt", "catch-all"]);

/** Source: kubernetes v1.36 apiserver/pkg/apis/flowcontrol/bootstrap/default.go, as recorded. */
export function defaultPriorityLevels(): UnstructuredObject[] {
  const queueing = (queues: number, handSize: number): LimitResponse => ({
    type: "Queue",
    queuing: { queues, handSize, queueLengthLimit: 50 },
  });
  return [
    level("exempt", { type: "Exempt", exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }),
    limited("catch-all", 5, 0, { type: "Reject" }),
    limited("global-default", 20, 50, queueing(128, 6)),
    limited("leader-election", 10, 0, queueing(16, 4)),
    limited("node-high", 40, 25, queueing(64, 6)),
    limited("system", 30, 33, queueing(64, 6)),
    limited("workload-high", 40, 50, queueing(128, 6)),
    limited("workload-low", 100, 90, queueing(128, 6)),
  ];
}

/** Source: kubernetes v1.36 apiserver/pkg/apis/flowcontrol/bootstrap/default.go, as recorded. */
export function defaultFlowSchemas(): UnstructuredObject[] {
  const everybody = groups("system:unauthenticated", "system:authenticated");
  const kubeSystem = serviceAccounts("kube-system", "*");
  return [
    schema("exempt", 1, "exempt", undefined, [everything(groups(MASTERS_GROUP))]),
    schema("probes", 2, "exempt", undefined, [
      {
        subjects: everybody,
        nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/readyz", "/livez"] }],
      },
    ]),
    schema("system-leader-election", 100, "leader-election", "ByUser", [
      {
        subjects: [...users("system:kube-controller-manager", "system:kube-scheduler"), ...kubeSystem],
        resourceRules: [
          {
            verbs: ["get", "create", "update"],
            apiGroups: ["coordination.k8s.io"],
            resources: ["leases"],
            namespaces: ["*"],
          },
        ],
      },
    ]),
    schema("system-node-high", 400, "node-high", "ByUser", [
      {
        subjects: groups("system:nodes"),
        resourceRules: [
          {
            verbs: ["*"],
            apiGroups: [""],
            resources: ["nodes", "nodes/status"],
            clusterScope: true,
            namespaces: ["*"],
          },
          { verbs: ["*"], apiGroups: ["coordination.k8s.io"], resources: ["leases"], namespaces: ["*"] },
        ],
      },
    ]),
    schema("system-nodes", 500, "system", "ByUser", [everything(groups("system:nodes"))]),
    schema("kube-controller-manager", 800, "workload-high", "ByNamespace", [
      everything(users("system:kube-controller-manager")),
    ]),
    schema("kube-scheduler", 800, "workload-high", "ByNamespace", [
      everything(users("system:kube-scheduler")),
    ]),
    schema("kube-system-service-accounts", 900, "workload-high", "ByNamespace", [everything(kubeSystem)]),
    schema("service-accounts", 9_000, "workload-low", "ByUser", [
      everything(groups("system:serviceaccounts")),
    ]),
    schema("global-default", 9_900, "global-default", "ByUser", [everything(everybody)]),
    schema("catch-all", 10_000, "catch-all", "ByUser", [everything(everybody)]),
  ];
}

function level(name: string, spec: PriorityLevelConfiguration["spec"]): UnstructuredObject {
  return object("PriorityLevelConfiguration", name, spec);
}

function limited(
  name: string,
  nominalConcurrencyShares: number,
  lendablePercent: number,
  limitResponse: LimitResponse,
): UnstructuredObject {
  return level(name, {
    type: "Limited",
    limited: { nominalConcurrencyShares, limitResponse, lendablePercent },
  });
}

function schema(
  name: string,
  matchingPrecedence: number,
  levelName: string,
  distinguisher: "ByUser" | "ByNamespace" | undefined,
  rules: Rules[],
): UnstructuredObject {
  const spec: FlowSchema["spec"] = {
    priorityLevelConfiguration: { name: levelName },
    matchingPrecedence,
    ...(distinguisher === undefined ? {} : { distinguisherMethod: { type: distinguisher } }),
    rules,
  };
  return object("FlowSchema", name, spec);
}

function object(kind: string, name: string, spec: unknown): UnstructuredObject {
  const metadata = { name, annotations: { [AUTO_UPDATE]: "true" } };
  return { kind, apiVersion: "flowcontrol.apiserver.k8s.io/v1", metadata, spec };
}

function everything(subjects: Subjects): Rules {
  return {
    subjects,
    resourceRules: [
      { verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] },
    ],
    nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
  };
}

function users(...names: string[]): Subjects {
  return names.map((name) => ({ kind: "User", user: { name } }));
}

function groups(...names: string[]): Subjects {
  return names.map((name) => ({ kind: "Group", group: { name } }));
}

function serviceAccounts(namespace: string, name: string): Subjects {
  return [{ kind: "ServiceAccount", serviceAccount: { namespace, name } }];
}
