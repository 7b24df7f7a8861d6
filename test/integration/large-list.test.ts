import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { connect } from "node:http2";
import { get } from "node:https";
import { gunzipSync } from "node:zlib";
import { startCluster, type TestCluster } from "@binnacle/envtest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

const PATH = "/api/v1/namespaces/default/configmaps";
const COUNT = 60;

/** Larger than all the buffers that an answer is written through, with one object larger than a buffer. */
function manifest(index: number) {
  const filler = String.fromCharCode(97 + (index % 26)).repeat(index === 7 ? 700_000 : 30_000 + index);
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `c-${String(index).padStart(3, "0")}`, namespace: "default" },
    data: { filler, text: 'é "quoted" 💡' },
  };
}

interface Answer {
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

describe("a list of several megabytes", () => {
  let cluster: TestCluster;
  let credentials: { ca: string; cert: string; key: string };
  let origin: string;

  beforeAll(async () => {
    cluster = await startCluster({ listen: true, components: ["apiserver"] });
    const kubeconfig = parse(readFileSync(cluster.kubeconfig!, "utf8")) as {
      clusters: [{ cluster: { server: string; "certificate-authority-data": string } }];
      users: [{ user: { "client-certificate-data": string; "client-key-data": string } }];
    };
    const decode = (text: string): string => Buffer.from(text, "base64").toString();
    const [{ cluster: server }] = kubeconfig.clusters;
    const [{ user }] = kubeconfig.users;
    origin = server.server;
    credentials = {
      ca: decode(server["certificate-authority-data"]),
      cert: decode(user["client-certificate-data"]),
      key: decode(user["client-key-data"]),
    };
    await cluster.apply(Array.from({ length: COUNT }, (_, index) => manifest(index)));
  }, 60_000);
  afterAll(() => cluster.stop());

  function overHttp1(headers: Record<string, string> = {}): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      get(origin + PATH, { ...credentials, agent: false, headers }, resolve).on("error", reject);
    });
  }

  async function bodyOf(message: IncomingMessage): Promise<Answer> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    return { headers: message.headers, body: Buffer.concat(chunks) };
  }

  function overHttp2(): Promise<Answer> {
    const session = connect(origin, credentials);
    return new Promise<Answer>((resolve, reject) => {
      session.on("error", reject);
      const stream = session.request({ ":path": PATH });
      let headers: Answer["headers"] = {};
      const chunks: Buffer[] = [];
      stream.on("response", (fields) => {
        headers = fields as Answer["headers"];
      });
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => resolve({ headers, body: Buffer.concat(chunks) }));
      stream.on("error", reject);
    }).finally(() => session.close());
  }

  function expectWhole({ headers, body }: Answer): void {
    expect(headers["content-length"]).toBe(String(body.length));
    const list = JSON.parse(body.toString()) as { kind: string; items: ReturnType<typeof manifest>[] };
    expect(list.kind).toBe("ConfigMapList");
    const items = list.items.filter(({ metadata }) => metadata.name.startsWith("c-"));
    expect(items.map(({ metadata }) => metadata.name)).toEqual(
      Array.from({ length: COUNT }, (_, index) => manifest(index).metadata.name),
    );
    for (const [index, item] of items.entries()) expect(item.data).toEqual(manifest(index).data);
    expect(body.at(-1)).toBe(10);
  }

  it("arrives whole over HTTP/2", async () => {
    expectWhole(await overHttp2());
  });

  it("arrives whole over HTTP/1.1", async () => {
    expectWhole(await bodyOf(await overHttp1()));
  });

  it("arrives whole when it is compressed", async () => {
    const { headers, body } = await bodyOf(await overHttp1({ "accept-encoding": "gzip" }));
    expect(headers["content-encoding"]).toBe("gzip");
    const unpacked = gunzipSync(body);
    expectWhole({ headers: { "content-length": String(unpacked.length) }, body: unpacked });
  });

  it("arrives whole for a reader who waits while others read", async () => {
    const slow = await overHttp1(); // Nothing of its body is read yet.
    for (const answer of await Promise.all([overHttp2(), overHttp2(), overHttp2()])) expectWhole(answer);
    expectWhole(await bodyOf(slow));
  });

  it("serves others after readers who went away in the middle", async () => {
    const gone = await Promise.all(Array.from({ length: 12 }, () => overHttp1()));
    for (const message of gone) message.destroy();
    await cluster.settle(); // Nobody is served any more.
    expectWhole(await overHttp2());
  });
});
