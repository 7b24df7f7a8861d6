import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Server, Socket } from "node:net";
import { createRealClock } from "@binnacle/base";
import * as x509 from "@peculiar/x509";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { createHttpTransport, type HttpTransportOptions, type ServerConnection } from "./http-transport.ts";
import type { Transport, WatchEvent } from "./transport.ts";

type Handle = (
  request: IncomingMessage | Http2ServerRequest,
  response: (ServerResponse & { stream?: never }) | Http2ServerResponse,
) => void;

let tls: { key: string; cert: string };
beforeAll(async () => {
  x509.cryptoProvider.set(webcrypto as never); // Node's own, typed apart from the browser's.
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=test",
    keys: keys as never, // As above.
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true),
      new x509.SubjectAlternativeNameExtension([{ type: "ip", value: "127.0.0.1" }]),
    ],
  });
  const pkcs8 = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  tls = { cert: certificate.toString("pem"), key: x509.PemConverter.encode(pkcs8, "PRIVATE KEY") };
});

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function serve(
  protocol: "h2" | "https" | "http",
  handle: Handle,
  extra: Partial<ServerConnection> = {},
  options: Partial<HttpTransportOptions> = {},
): Promise<{ transport: Transport; sockets: Set<Socket> }> {
  const server: Server =
    protocol === "h2"
      ? createSecureServer(
          { ...tls, allowHTTP1: true, settings: { maxConcurrentStreams: 2 } },
          handle as never,
        )
      : protocol === "https"
        ? createHttpsServer(tls, handle as never)
        : createHttpServer(handle as never); // One handler serves the common part of both protocols.
  const sockets = new Set<Socket>();
  server.on(protocol === "http" ? "connection" : "secureConnection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  const transport = createHttpTransport(
    {
      server: `${protocol === "http" ? "http" : "https"}://127.0.0.1:${port}/base/`,
      certificateAuthority: tls.cert,
      ...extra,
    },
    { clock: createRealClock(), ...options },
  );
  cleanups.push(async () => {
    await transport.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { transport, sockets };
}

function answer(response: Parameters<Handle>[1], status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  (response as ServerResponse).end(JSON.stringify(body)); // Both classes have it.
}

async function readBody(request: Parameters<Handle>[0]): Promise<string> {
  let text = "";
  for await (const chunk of request as IncomingMessage) text += chunk; // Both classes are streams.
  return text;
}

describe.each(["h2", "https", "http"] as const)("over %s", (protocol) => {
  it("sends the request as it is and reads the answer", async () => {
    const { transport } = await serve(
      protocol,
      async (request, response) => {
        const body = await readBody(request);
        const { method, url, headers } = request;
        answer(
          response,
          201,
          {
            method,
            url,
            body,
            type: headers["content-type"],
            auth: headers["authorization"],
            agent: headers["user-agent"],
            group: headers["impersonate-group"],
          },
          { warning: '299 - "old"' },
        );
      },
      {
        credentials: {
          current: () => Promise.resolve({ authorization: "Bearer t" }),
          invalidate: () => false,
        },
        impersonate: { user: "bob", groups: ["a"] },
      },
    );
    const { status, body, warnings } = await transport.request({
      method: "POST",
      path: "/api/v1/pods",
      query: { labelSelector: "a=b,c", limit: 5, dryRun: undefined },
      body: { n: 9007199254740993n },
    });
    expect({ status, warnings }).toEqual({ status: 201, warnings: ["old"] });
    expect(body).toEqual({
      method: "POST",
      url: "/base/api/v1/pods?labelSelector=a%3Db%2Cc&limit=5",
      body: '{"n":9007199254740993}',
      type: "application/json",
      auth: "Bearer t",
      agent: "binnacle",
      group: "a",
    });
  });

  it("throws the server's Status", async () => {
    const { transport } = await serve(protocol, (_, response) =>
      answer(response, 404, {
        kind: "Status",
        status: "Failure",
        reason: "NotFound",
        message: "no such",
        code: 404,
      }),
    );
    const failure = transport.request({ method: "GET", path: "/x" });
    await expect(failure).rejects.toMatchObject({
      name: "StatusError",
      reason: "NotFound",
      message: "no such",
    });
  });

  it("waits as told by Retry-After", async () => {
    let calls = 0;
    const { transport } = await serve(protocol, (_, response) => {
      if (++calls === 1) answer(response, 429, {}, { "retry-after": "0" });
      else answer(response, 200, { calls });
    });
    expect((await transport.request({ method: "GET", path: "/x" })).body).toEqual({ calls: 2 });
  });

  it("asks for fresh credentials once after a 401", async () => {
    let token = "old";
    const { transport } = await serve(
      protocol,
      (request, response) => answer(response, request.headers["authorization"] === "new" ? 200 : 401, {}),
      {
        credentials: {
          current: () => Promise.resolve({ authorization: token }),
          invalidate: () => {
            token = "new";
            return true;
          },
        },
      },
    );
    expect((await transport.request({ method: "GET", path: "/x" })).status).toBe(200);
  });

  it("stops waiting when the caller aborts, and when time is up", async () => {
    const { transport } = await serve(protocol, () => {}, {}, { requestTimeoutMs: 50 });
    const controller = new AbortController();
    const reason = new Error("enough");
    const pending = transport.request({ method: "GET", path: "/x", signal: controller.signal });
    controller.abort(reason);
    await expect(pending).rejects.toBe(reason);
    await expect(transport.request({ method: "GET", path: "/x" })).rejects.toMatchObject({ code: 504 });
  });

  it("delivers watch events in order until the server ends", async () => {
    const { transport } = await serve(protocol, (_, plain) => {
      const response = plain as ServerResponse; // Both classes have what is used here.
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"type":"ADDED","object":{"a":1}}\n{"type":"MODI');
      setImmediate(() => response.end('FIED","object":{"a":2}}\n'));
    });
    const events: WatchEvent[] = [];
    const end = await new Promise((resolve, reject) => {
      transport
        .watch({ method: "GET", path: "/w" }, { onEvent: (event) => events.push(event), onEnd: resolve })
        .catch(reject);
    });
    expect(end).toBeUndefined();
    expect(events).toEqual([
      { type: "ADDED", object: { a: 1 } },
      { type: "MODIFIED", object: { a: 2 } },
    ]);
  });

  it("reports a watch whose connection breaks, and one that is refused", async () => {
    const { transport, sockets } = await serve(protocol, (request, plain) => {
      if (request.url === "/base/refused") return answer(plain, 410, {});
      const response = plain as ServerResponse; // As above.
      response.writeHead(200);
      response.write('{"type":"ADDED","object":{}}\n');
    });
    const end = await new Promise((resolve, reject) => {
      const onEvent = (): void => {
        for (const socket of sockets) socket.destroy();
      };
      transport.watch({ method: "GET", path: "/w" }, { onEvent, onEnd: resolve }).catch(reject);
    });
    expect(end).toBeInstanceOf(Error);
    const refused = transport.watch({ method: "GET", path: "/refused" }, { onEvent() {}, onEnd() {} });
    await expect(refused).rejects.toMatchObject({ code: 410 });
  });

  it("calls no handler after stop, and tells the server", async () => {
    let hasEnded: () => void = () => {};
    const serverSawEnd = new Promise<void>((resolve) => {
      hasEnded = resolve;
    });
    const { transport } = await serve(protocol, (_, plain) => {
      const response = plain as ServerResponse; // As above.
      response.writeHead(200);
      response.write('{"type":"ADDED","object":{}}\n');
      response.on("close", hasEnded);
    });
    let ends = 0;
    await new Promise<void>((resolve) => {
      const started = transport.watch(
        { method: "GET", path: "/w" },
        {
          onEvent: () => void started.then((subscription) => subscription.stop()).then(resolve),
          onEnd: () => ends++,
        },
      );
    });
    await serverSawEnd;
    expect(ends).toBe(0);
  });

  it("goes on after the server dropped the connection", async () => {
    const { transport, sockets } = await serve(protocol, (_, response) => answer(response, 200, {}));
    await transport.request({ method: "GET", path: "/x" });
    for (const socket of sockets) socket.destroy();
    expect((await transport.request({ method: "GET", path: "/x" })).status).toBe(200);
  });
});

describe("over h2", () => {
  it("opens another connection when the server allows no more streams on this one", async () => {
    const { transport, sockets } = await serve("h2", (request, plain) => {
      if (request.url !== "/base/w") return answer(plain, 200, {});
      (plain as ServerResponse).writeHead(200).flushHeaders(); // Both classes have it.
    });
    await transport.request({ method: "GET", path: "/x" });
    expect(sockets.size).toBe(1);
    const nothing = { onEvent() {}, onEnd() {} };
    for (let i = 0; i < 3; i++) await transport.watch({ method: "GET", path: "/w" }, nothing);
    expect((await transport.request({ method: "GET", path: "/x" })).status).toBe(200);
    expect(sockets.size).toBe(2);
  });
});

describe("TLS", () => {
  it("refuses a server that the certificate authority has not signed", async () => {
    const { transport } = await serve("h2", (_, response) => answer(response, 200, {}), {
      certificateAuthority: undefined as never, // The machine's authorities do not know the test's.
    });
    await expect(transport.request({ method: "GET", path: "/x" })).rejects.toThrow(/self-signed certificate/);
  });
});
