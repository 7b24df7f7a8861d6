import { readFileSync } from "node:fs";
import { type ClientHttp2Session, connect } from "node:http2";
import { builtinSchema } from "@binnacle/api";
import { decodeProtobuf, decodeProtobufMessage, type Field, type ObjectSchema } from "@binnacle/apimachinery";
import { startCluster, type TestCluster } from "@binnacle/envtest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const NAMESPACE = "/api/v1/namespaces/default";

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** What the answers of a watch are made of: a big-endian length, then the event. */
function eventsIn(bytes: Buffer): { type: string; raw: Buffer }[] {
  const events: { type: string; raw: Buffer }[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const { type, object } = decodeProtobufMessage(bytes.subarray(at + 4, at + 4 + length), WATCH_EVENT) as {
      type: string;
      object: { raw: string };
    };
    events.push({ type, raw: Buffer.from(object.raw, "base64") });
    at += 4 + length;
  }
  return events;
}

const RAW_EXTENSION: ObjectSchema = {
  type: "object",
  fields: new Map([
    ["raw", { name: "raw", schema: { type: "bytes" }, required: false, omit: "absent", protobuf: 1 }],
  ]),
};
const WATCH_EVENT: ObjectSchema = {
  type: "object",
  fields: new Map([
    ["type", { name: "type", schema: { type: "string" }, required: false, omit: "absent", protobuf: 1 }],
    ["object", { name: "object", schema: RAW_EXTENSION, required: false, omit: "absent", protobuf: 2 }],
  ]),
};

describe("answers in protobuf", () => {
  let cluster: TestCluster;
  let session: ClientHttp2Session;

  beforeAll(async () => {
    cluster = await startCluster({ listen: true, components: ["apiserver"] });
    const kubeconfig = parse(readFileSync(cluster.kubeconfig!, "utf8")) as {
      clusters: [{ cluster: { server: string; "certificate-authority-data": string } }];
      users: [{ user: { "client-certificate-data": string; "client-key-data": string } }];
    };
    const decode = (text: string): string => Buffer.from(text, "base64").toString();
    const [{ cluster: server }] = kubeconfig.clusters;
    const [{ user }] = kubeconfig.users;
    session = connect(server.server, {
      ca: decode(server["certificate-authority-data"]),
      cert: decode(user["client-certificate-data"]),
      key: decode(user["client-key-data"]),
    });
    await cluster.apply([
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web", namespace: "default" },
        spec: {
          selector: { matchLabels: { app: "web" } },
          template: {
            metadata: { labels: { app: "web" } },
            spec: { containers: [{ name: "c", image: "i", resources: { limits: { cpu: "100m" } } }] },
          },
        },
      },
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "a", namespace: "default" },
        data: { k: "ü" },
      },
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b", namespace: "default" } },
    ]);
  });
  afterAll(async () => {
    session.close();
    await cluster.stop();
  });

  function ask(path: string, accept: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const stream = session.request({ ":path": path, accept });
      let head = { status: 0, contentType: "" };
      const chunks: Buffer[] = [];
      stream.on("response", (headers) => {
        head = { status: Number(headers[":status"]), contentType: String(headers["content-type"]) };
      });
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => resolve({ ...head, body: Buffer.concat(chunks) }));
      stream.on("error", reject);
    });
  }

  const asJson = async (path: string): Promise<unknown> =>
    JSON.parse((await ask(path, "application/json")).body.toString());

  it.each([
    ["a deployment", "/apis/apps/v1/namespaces/default/deployments/web", "apps.v1.Deployment"],
    ["its scale", "/apis/apps/v1/namespaces/default/deployments/web/scale", "autoscaling.v1.Scale"],
    ["a config map", `${NAMESPACE}/configmaps/a`, "core.v1.ConfigMap"],
    [
      "a flow schema",
      "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/probes",
      "flowcontrol.v1.FlowSchema",
    ],
  ])("hold what the JSON of %s holds", async (_title, path, schema) => {
    const answer = await ask(path, `${PROTOBUF},application/json`);
    expect(answer.contentType).toBe(PROTOBUF);
    expect(decodeProtobuf(answer.body, () => builtinSchema(schema)).value).toEqual(await asJson(path));
  });

  it("hold lists with their versions", async () => {
    const path = `${NAMESPACE}/configmaps?fieldSelector=metadata.name!%3Dkube-root-ca.crt`;
    const { body } = await ask(path, PROTOBUF);
    const items = builtinSchema("core.v1.ConfigMap");
    const list: ObjectSchema = {
      type: "object",
      fields: new Map<string, Field>([
        [
          "metadata",
          {
            name: "metadata",
            schema: builtinSchema("meta.v1.ListMeta"),
            required: false,
            omit: "never",
            protobuf: 1,
          },
        ],
        [
          "items",
          {
            name: "items",
            schema: { type: "list", items, listType: "atomic" },
            required: false,
            omit: "never",
            protobuf: 2,
          },
        ],
      ]),
    };
    const { typeMeta, value } = decodeProtobuf(body, () => list);
    expect(typeMeta).toEqual({ apiVersion: "v1", kind: "ConfigMapList" });
    const { kind: _kind, apiVersion: _apiVersion, ...json } = (await asJson(path)) as Record<string, unknown>;
    expect(value).toMatchObject(json);
  });

  it("are errors in protobuf, too", async () => {
    const { status, contentType, body } = await ask(`${NAMESPACE}/configmaps/none`, PROTOBUF);
    expect([status, contentType]).toEqual([404, PROTOBUF]);
    const { value } = decodeProtobuf(body, () => builtinSchema("meta.v1.Status"));
    expect(value).toMatchObject({ kind: "Status", code: 404, message: 'configmaps "none" not found' });
  });

  it("are refused for tables, and JSON where there is nothing else", async () => {
    const table = await ask(`${NAMESPACE}/configmaps`, `${PROTOBUF};as=Table;g=meta.k8s.io;v=v1`);
    expect(table.status).toBe(406);
    const groups = await ask("/apis", `${PROTOBUF},application/json`);
    expect(groups.contentType).toBe("application/json");
  });

  it("stream the events of a watch", async () => {
    const path = `${NAMESPACE}/configmaps?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Da`;
    const { contentType, body } = await ask(path, `${PROTOBUF};stream=watch`);
    expect(contentType).toBe(`${PROTOBUF};stream=watch`);
    const events = eventsIn(body);
    expect(events.map(({ type }) => type)).toEqual(["ADDED"]);
    const { value } = decodeProtobuf(events[0]!.raw, () => builtinSchema("core.v1.ConfigMap"));
    expect(value).toEqual(await asJson(`${NAMESPACE}/configmaps/a`));
  });
});
