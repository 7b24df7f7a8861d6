import { notFound, resourceExpired, resourceType } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import { createClient } from "./resource-client.ts";
import type { ClientRequest, Transport } from "./transport/transport.ts";

const pods = resourceType({ group: "", version: "v1", kind: "Pod", resource: "pods", namespaced: true });

/** Answers from a list and records what was asked. */
function scripted(...answers: (unknown | Error)[]): { transport: Transport; requests: ClientRequest[] } {
  const requests: ClientRequest[] = [];
  const transport: Transport = {
    async request(request) {
      requests.push(request);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return { status: 200, body: answer, warnings: ["careful"] };
    },
    watch: () => Promise.reject(new Error("not scripted")),
    close: () => Promise.resolve(),
  };
  return { transport, requests };
}

describe("Client", () => {
  it("finds nothing where get throws NotFound", async () => {
    const missing = notFound(pods, "web");
    const { transport } = scripted(missing, missing);
    const client = createClient(transport);
    await expect(client.get(pods, { namespace: "a", name: "web" })).rejects.toBe(missing);
    await expect(client.find(pods, { namespace: "a", name: "web" })).resolves.toBeUndefined();
  });

  it("fills in its namespace and field manager", async () => {
    const { transport, requests } = scripted({}, {}, {});
    const client = createClient(transport, { fieldManager: "me" }).inNamespace("shop");
    await client.create(pods, { metadata: { name: "web" } });
    await client.list(pods);
    await client.delete(pods, { name: "web" });
    expect(requests.map((request) => request.path)).toEqual([
      "/api/v1/namespaces/shop/pods",
      "/api/v1/namespaces/shop/pods",
      "/api/v1/namespaces/shop/pods/web",
    ]);
    expect(requests[0]).toMatchObject({
      query: { fieldManager: "me" },
      body: { metadata: { namespace: "shop" } },
    });
  });

  it("joins pages, and starts over in one piece when a page has expired", async () => {
    const page = (names: string[], token?: string) => ({
      metadata: {
        resourceVersion: "7",
        ...(token === undefined ? {} : { continue: token, remainingItemCount: 1 }),
      },
      items: names.map((name) => ({ metadata: { name } })),
    });
    const first = scripted(page(["a", "b"], "t1"), page(["c"]));
    const all = await createClient(first.transport).listAll(pods, { limit: 2, resourceVersion: "0" });
    expect(all.items.map((pod) => pod.metadata.name)).toEqual(["a", "b", "c"]);
    expect(all.metadata).toEqual({ resourceVersion: "7" });
    expect(first.requests[1]?.query).toMatchObject({ continue: "t1", resourceVersion: undefined });

    const second = scripted(page(["a"], "t1"), resourceExpired("too old"), page(["a", "b"]));
    const whole = await createClient(second.transport).listAll(pods, { limit: 1 });
    expect(whole.items).toHaveLength(2);
    expect(second.requests[2]?.query?.["limit"]).toBeUndefined();
  });

  it("evicts, binds and asks for tokens with the bodies the API wants", async () => {
    const { transport, requests } = scripted({}, {}, { spec: {}, status: { token: "t" } });
    const client = createClient(transport);
    await client.evict(pods, { namespace: "a", name: "p" }, { deleteOptions: { gracePeriodSeconds: 1 } });
    await client.bind(pods, { metadata: { namespace: "a", name: "p", uid: "u" } }, "n1");
    await client.createToken(pods, { namespace: "a", name: "p" }, { spec: { expirationSeconds: 600 } });
    expect(requests.map((request) => request.body)).toMatchObject([
      { kind: "Eviction", metadata: { name: "p", namespace: "a" }, deleteOptions: { gracePeriodSeconds: 1 } },
      { kind: "Binding", metadata: { uid: "u" }, target: { kind: "Node", name: "n1" } },
      { kind: "TokenRequest", spec: { expirationSeconds: 600 } },
    ]);
  });

  it("hands warnings on", async () => {
    const warnings: string[] = [];
    const { transport } = scripted({});
    await createClient(transport, { onWarning: (text) => warnings.push(text) }).list(pods);
    expect(warnings).toEqual(["careful"]);
  });
});
