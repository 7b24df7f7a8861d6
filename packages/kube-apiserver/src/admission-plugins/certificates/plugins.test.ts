import { startCluster } from "@binnacle/envtest";
import { beforeAll, describe, expect, it } from "vitest";
import { ADMIN, type Answer, requestAs } from "../../testing/request-as.ts";
import { subjectOf } from "./subject.ts";

/** Made by `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -subj /CN=eve/O=devs/O=system:masters`. */
const MASTER = `-----BEGIN CERTIFICATE REQUEST-----
MIHxMIGYAgEAMDYxDDAKBgNVBAMMA2V2ZTENMAsGA1UECgwEZGV2czEXMBUGA1UE
CgwOc3lzdGVtOm1hc3RlcnMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQo8tkt
IGpetbxZgLqxqfI8jQqxe5zvHRZPnlAgcHvyB1ZknNuoRY3o/lrGYhf7MzVLORuD
wTcRtzSxy8rmC9EKoAAwCgYIKoZIzj0EAwIDSAAwRQIgYkujocCi714syPpwVtba
W/DLi1HRNN4cXn5FrS1iYGICIQCdydCCTGqNe3itpT0IaaWKq1vome9hdTQw5xTs
45u4/Q==
-----END CERTIFICATE REQUEST-----
`;
/** The same for `/CN=alice/O=devs`. */
const DEVELOPER = `-----BEGIN CERTIFICATE REQUEST-----
MIHaMIGBAgEAMB8xDjAMBgNVBAMMBWFsaWNlMQ0wCwYDVQQKDARkZXZzMFkwEwYH
KoZIzj0CAQYIKoZIzj0DAQcDQgAEA1dkBe477YCzGEb/ZmSEBUFj/P/0oH0a3EQa
kzV+5JMIChcwGoWkZ6l2REV7rb7uaZrViMWkitZ6y0mbyM/r2aAAMAoGCCqGSM49
BAMCA0gAMEUCIAQGb/XvJy6m6374f8JnWdnUpjfBxDMPj45A2baq3XhwAiEAw8QY
PEBTZLN6aX9MONvE5gYujZASkmn3WUuIiRePIZM=
-----END CERTIFICATE REQUEST-----
`;

const PATH = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

describe("subjectOf", () => {
  it("reads the name and every organization of the subject", () => {
    expect([subjectOf(MASTER), subjectOf(DEVELOPER)]).toEqual([
      { commonName: "eve", organizations: ["devs", "system:masters"] },
      { commonName: "alice", organizations: ["devs"] },
    ]);
  });

  it.each([
    [
      "another block",
      MASTER.replaceAll("CERTIFICATE REQUEST", "CERTIFICATE"),
      "PEM block type must be CERTIFICATE REQUEST",
    ],
    ["half a request", MASTER.replace(/^(-.*\n.*\n)[^-]*/, "$1"), "asn1: syntax error: data truncated"],
    ["something else", MASTER.replace(/\n[^-]*\n/, "\nAQID\n"), "asn1: structure error"],
  ])("refuses %s", (_title, pem, message) => {
    expect(() => subjectOf(pem)).toThrow(message);
  });
});

describe("requests for certificates", () => {
  let send: (user: string, method: string, path: string, body: object) => Promise<Answer>;

  beforeAll(async () => {
    const cluster = await startCluster({ clock: "virtual", nodes: 0, components: [] });
    const { core } = cluster.cluster.server;
    const rules = [
      { apiGroups: ["certificates.k8s.io"], resources: ["*"], verbs: ["get", "create", "update", "patch"] },
    ];
    const named = (name: string, verb: string, signer: string): object[] => [
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRole",
        metadata: { name },
        rules: [
          ...rules,
          {
            apiGroups: ["certificates.k8s.io"],
            resources: ["signers"],
            resourceNames: [signer],
            verbs: [verb],
          },
        ],
      },
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRoleBinding",
        metadata: { name },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
        subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name }],
      },
    ];
    await cluster.apply([
      ...named("approver", "approve", "example.com/one"),
      ...named("domain-approver", "approve", "example.com/*"),
      ...named("signer", "sign", "example.com/one"),
    ] as never);
    send = (name, method, path, body) =>
      requestAs(core, name === "admin" ? ADMIN : { name, groups: ["system:authenticated"] }, {
        method,
        path,
        body,
        ...(method === "PATCH" ? { contentType: "application/merge-patch+json" } : {}),
      });
    return () => cluster.stop();
  });

  const create = (name: string, signerName: string, pem: string): Promise<Answer> =>
    send("admin", "POST", PATH, {
      apiVersion: "certificates.k8s.io/v1",
      kind: "CertificateSigningRequest",
      metadata: { name },
      spec: { request: Buffer.from(pem).toString("base64"), signerName, usages: ["client auth"] },
    });
  const condition = (type: string) => ({ status: { conditions: [{ type, status: "True", reason: "R" }] } });

  it.each([
    ["approver", "example.com/one", 200],
    ["approver", "example.com/two", 403],
    ["domain-approver", "example.com/two", 200],
    ["domain-approver", "example.org/one", 403],
    ["signer", "example.com/one", 403],
    ["admin", "example.org/one", 200],
  ])("%s approving for %s gets %i", async (user, signerName, status) => {
    const name = `a-${user}-${signerName.replace("/", "-")}`;
    await create(name, signerName, DEVELOPER);
    const answer = await send(user, "PATCH", `${PATH}/${name}/approval`, condition("Approved"));
    expect(answer.status).toBe(status);
    if (status === 403) {
      expect(answer.message).toBe(
        `certificatesigningrequests.certificates.k8s.io "${name}" is forbidden: user not permitted to approve requests with signerName "${signerName}"`,
      );
    } else {
      expect(answer.body).toMatchObject({
        status: { conditions: [{ type: "Approved", lastUpdateTime: expect.any(String) }] },
      });
    }
  });

  it.each([
    ["signer", "example.com/one", { status: { certificate: "eA==" } }, 200],
    ["approver", "example.com/one", condition("Failed"), 403],
    ["approver", "example.com/one", { metadata: { labels: { a: "b" } } }, 200],
  ])("%s changing the status for %s, case %#, is answered", async (user, signerName, body, status) => {
    const name = `s-${user}-${Object.keys(body)[0]}`;
    await create(name, signerName, DEVELOPER);
    const answer = await send(user, "PATCH", `${PATH}/${name}/status`, body);
    expect(answer.status).toBe(status);
    if (status === 403)
      expect(answer.message).toContain(
        'user not permitted to sign requests with signerName "example.com/one"',
      );
  });

  it("make no masters of API clients", async () => {
    expect(await create("m", "kubernetes.io/kube-apiserver-client", MASTER)).toMatchObject({
      status: 403,
      message:
        'certificatesigningrequests.certificates.k8s.io "m" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
    });
    expect((await create("other", "example.com/one", MASTER)).status).toBe(201);
    expect((await create("d", "kubernetes.io/kube-apiserver-client", DEVELOPER)).status).toBe(201);
  });

  it("cannot be approved through the status, nor get a certificate through the approval", async () => {
    await create("x", "example.com/one", DEVELOPER);
    await send("admin", "PATCH", `${PATH}/x/status`, condition("Approved"));
    const { body } = await send("admin", "PATCH", `${PATH}/x/approval`, { status: { certificate: "eA==" } });
    expect(body).toMatchObject({ status: {} });
    expect((body as { status: object }).status).toEqual({});
  });
});
