import { startCluster } from "@binnacle/envtest";
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, requestAs } from "../../testing/request-as.ts";

const N1 = { name: "system:node:n1", groups: ["system:nodes", "system:authenticated"] };
const pod = (name: string, nodeName: string, rest: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default" },
  spec: { nodeName, containers: [{ name: "c", image: "i" }], ...rest },
});

describe("NodeRestriction", () => {
  let send: (method: string, path: string, body?: object) => Promise<Answer>;
  let asOther: (method: string, path: string, body?: object) => Promise<Answer>;
  let uids: Record<string, string>;

  beforeAll(async () => {
    const cluster = await startCluster({ clock: "virtual", nodes: 0, components: [] });
    const { core } = cluster.cluster.server;
    const stored = await cluster.apply([
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRoleBinding",
        metadata: { name: "everybody" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "edit-all" },
        subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "system:authenticated" }],
      },
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRole",
        metadata: { name: "edit-all" },
        rules: [
          { apiGroups: ["*"], resources: ["*"], verbs: ["create", "update", "patch", "delete", "get"] },
        ],
      },
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: "default" } },
      { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } },
      { apiVersion: "v1", kind: "Node", metadata: { name: "n2" } },
      pod("mine", "n1", {
        volumes: [
          { name: "t", projected: { sources: [{ serviceAccountToken: { path: "t", audience: "vault" } }] } },
        ],
      }),
      pod("theirs", "n2"),
    ] as never);
    uids = Object.fromEntries(stored.map(({ metadata: { name = "", uid = "" } }) => [name, uid]));
    const sender =
      (user: typeof N1) =>
      (method: string, path: string, body?: object): Promise<Answer> =>
        requestAs(core, user, {
          method,
          path,
          ...(body === undefined ? {} : { body }),
          ...(method === "PATCH" ? { contentType: "application/strategic-merge-patch+json" } : {}),
        });
    send = sender(N1);
    asOther = sender({ ...N1, groups: ["system:authenticated"] });
    return () => cluster.stop();
  });

  const PODS = "/api/v1/namespaces/default/pods";
  const mirror = (metadata: object = {}, spec: object = {}) => ({
    ...pod("m", "n1", spec),
    metadata: {
      name: "m",
      annotations: { "kubernetes.io/config.mirror": "x" },
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n1", uid: uids["n1"], controller: true }],
      ...metadata,
    },
  });
  const lease = (name: string) => ({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name },
  });
  const token = (bound: object | undefined, audiences: string[] = ["vault"]) => ({
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { audiences, ...(bound === undefined ? {} : { boundObjectRef: bound }) },
  });
  const TOKENS = "/api/v1/namespaces/default/serviceaccounts/default/token";
  const boundTo = (name: string, uid: string | undefined = uids[name]) => ({
    apiVersion: "v1",
    kind: "Pod",
    name,
    ...(uid === "" ? {} : { uid }),
  });

  it.each<[string, () => Promise<Answer>, string]>([
    [
      "plain pods",
      () => send("POST", PODS, pod("p", "n1")),
      'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
    ],
    [
      "mirror pods of other nodes",
      () => send("POST", PODS, mirror({}, { nodeName: "n2" })),
      'node "n1" can only create pods with spec.nodeName set to itself',
    ],
    [
      "mirror pods of nobody",
      () => send("POST", PODS, mirror({ ownerReferences: [] })),
      'node "n1" can only create pods with an owner reference set to itself',
    ],
    [
      "mirror pods with another uid",
      () =>
        send(
          "POST",
          PODS,
          mirror({
            ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n1", uid: "u", controller: true }],
          }),
        ),
      "node n1 UID mismatch: expected u got ",
    ],
    [
      "mirror pods with secrets",
      () => send("POST", PODS, mirror({}, { volumes: [{ name: "s", secret: { secretName: "s" } }] })),
      'node "n1" can not create pods that reference secrets',
    ],
    [
      "mirror pods with claims",
      () =>
        send(
          "POST",
          PODS,
          mirror({}, { volumes: [{ name: "s", persistentVolumeClaim: { claimName: "s" } }] }),
        ),
      'node "n1" can not create pods that reference persistentvolumeclaims',
    ],
    [
      "updates of pods",
      () => send("PATCH", `${PODS}/mine`, { metadata: { labels: { a: "b" } } }),
      'unexpected operation "UPDATE", node "n1" can only create and delete mirror pods',
    ],
    [
      "deletions of other nodes' pods",
      () => send("DELETE", `${PODS}/theirs`),
      'node "n1" can only delete pods with spec.nodeName set to itself',
    ],
    [
      "the status of other nodes' pods",
      () => send("PATCH", `${PODS}/theirs/status`, { status: { phase: "Failed" } }),
      'node "n1" can only update pod status for pods with spec.nodeName set to itself',
    ],
    [
      "labels through a status",
      () => send("PATCH", `${PODS}/mine/status`, { metadata: { labels: { a: "b" } } }),
      'node "n1" cannot update labels through pod status',
    ],
    [
      "evictions of other nodes' pods",
      () =>
        send("POST", `${PODS}/theirs/eviction`, {
          apiVersion: "policy/v1",
          kind: "Eviction",
          metadata: { name: "theirs" },
        }),
      "node n1 can only evict pods with spec.nodeName set to itself",
    ],
    [
      "resizes",
      () => send("PATCH", `${PODS}/mine/resize`, { spec: {} }),
      "unexpected pod subresource \"resize\", only 'status' and 'eviction' are allowed",
    ],
    [
      "other nodes",
      () => send("PATCH", "/api/v1/nodes/n2", { metadata: { labels: { a: "b" } } }),
      'node "n1" is not allowed to modify node "n2"',
    ],
    [
      "its taints",
      () => send("PATCH", "/api/v1/nodes/n1", { spec: { taints: [] } }),
      'node "n1" is not allowed to modify taints',
    ],
    [
      "its owners",
      () =>
        send("PATCH", "/api/v1/nodes/n1", {
          metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n2", uid: "u" }] },
        }),
      'node "n1" is not allowed to modify ownerReferences',
    ],
    [
      "labels that draw pods",
      () =>
        send("PATCH", "/api/v1/nodes/n1", {
          metadata: {
            labels: {
              "node-restriction.kubernetes.io/a": "b",
              "x.k8s.io/c": "d",
              "kubernetes.io/arch": "amd64",
              e: "f",
            },
          },
        }),
      "is not allowed to modify labels: node-restriction.kubernetes.io/a, x.k8s.io/c",
    ],
    [
      "leases of other nodes",
      () => send("POST", "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases", lease("n2")),
      "can only access node lease with the same name as the requesting node",
    ],
    [
      "leases elsewhere",
      () => send("POST", "/apis/coordination.k8s.io/v1/namespaces/default/leases", lease("n1")),
      'can only access leases in the "kube-node-lease" system namespace',
    ],
    [
      "tokens bound to nothing",
      () => send("POST", TOKENS, token(undefined)),
      "node requested token not bound to a pod",
    ],
    [
      "tokens bound to a name",
      () => send("POST", TOKENS, token(boundTo("mine", ""))),
      "node requested token with a pod binding without a uid",
    ],
    [
      "tokens of other nodes' pods",
      () => send("POST", TOKENS, token(boundTo("theirs"))),
      "node requested token bound to a pod scheduled on a different node",
    ],
    [
      "tokens of an earlier pod",
      () => send("POST", TOKENS, token(boundTo("mine", "u"))),
      "the UID in the bound object reference (u) does not match the UID in record. The object might have been deleted and then recreated",
    ],
    [
      "tokens for several audiences",
      () => send("POST", TOKENS, token(boundTo("mine"), ["a", "b"])),
      "node may only request 0 or 1 audiences",
    ],
  ])("refuses a node %s", async (_title, request, why) => {
    const answer = await request();
    expect(answer.message).toContain(` is forbidden: ${why}`);
    expect(answer.status).toBe(403);
  });

  it.each<[string, () => Promise<Answer>]>([
    ["its mirror pods", () => send("POST", PODS, mirror())],
    ["the status of its pods", () => send("PATCH", `${PODS}/mine/status`, { status: { phase: "Running" } })],
    [
      "labels that are its own",
      () =>
        send("PATCH", "/api/v1/nodes/n1", {
          metadata: { labels: { "kubernetes.io/arch": "amd64", "a.node.kubernetes.io/b": "c", d: "e" } },
        }),
    ],
    ["its status", () => send("PATCH", "/api/v1/nodes/n1/status", { status: { capacity: { cpu: "1" } } })],
    [
      "its lease",
      () => send("POST", "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases", lease("n1")),
    ],
    ["tokens of its pods", () => send("POST", TOKENS, token(boundTo("mine")))],
    [
      "to create other things",
      () =>
        send("POST", "/api/v1/namespaces/default/configmaps", {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: "a" },
        }),
    ],
  ])("lets a node have %s", async (_title, request) => {
    const { status, message } = await request();
    expect(message).toBe("");
    expect(status).toBeLessThan(300);
  });

  it("leaves users alone who are not in the group of nodes", async () => {
    expect((await asOther("POST", PODS, pod("plain", "n1"))).status).toBe(201);
  });
});
