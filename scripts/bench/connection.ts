import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import type { Target } from "./target.ts";

/** One HTTP/2 connection to a target, used as client-go uses it. */
export class Connection {
  readonly #session: ClientHttp2Session;

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
  }

  static open(target: Pick<Target, "url" | "ca" | "cert" | "key">): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const { url, ca, cert, key } = target;
      const session = connect(url, { ca, cert, key, settings: { initialWindowSize: 16 * 1024 * 1024 } });
      session.once("connect", () => {
        session.setLocalWindowSize(64 * 1024 * 1024);
        resolve(new Connection(session));
      });
      session.once("error", reject);
    });
  }

  /** Sends a request; resolves with the status and the size of the body. Throws for 400 and above. */
  send(
    method: string,
    path: string,
    body?: string,
    contentType = "application/json",
  ): Promise<{ status: number; bytes: number }> {
    return new Promise((resolve, reject) => {
      const headers: Record<string, string> = { ":method": method, ":path": path, "user-agent": "bench/1.0" };
      if (body !== undefined) headers["content-type"] = contentType;
      const stream = this.#session.request(headers, { endStream: body === undefined });
      let status = 0;
      let bytes = 0;
      let text = "";
      stream.on("response", (answer) => {
        status = Number(answer[":status"]);
      });
      stream.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (status >= 400) text += chunk.toString();
      });
      stream.on("end", () => {
        if (status >= 400) reject(new Error(`${method} ${path}: ${status} ${text}`));
        else resolve({ status, bytes });
      });
      stream.on("error", reject);
      if (body !== undefined) stream.end(body);
    });
  }

  /** The whole body of an answer. */
  async read(path: string): Promise<Buffer> {
    const chunks: Buffer[] = [];
    const stream = await this.stream(path, (chunk) => chunks.push(chunk));
    await once(stream, "end");
    return Buffer.concat(chunks);
  }

  /** Opens a stream and hands over its chunks. */
  stream(path: string, onData: (chunk: Buffer) => void): Promise<ClientHttp2Stream> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.request({ ":method": "GET", ":path": path }, { endStream: true });
      stream.once("response", () => resolve(stream));
      stream.once("error", reject);
      stream.on("data", onData);
    });
  }

  close(): void {
    this.#session.destroy();
  }
}

/** Runs `total` calls spread over so many clients, each with a connection of its own; gives calls per second. */
export async function rate(
  target: Pick<Target, "url" | "ca" | "cert" | "key">,
  clients: number,
  total: number,
  call: (connection: Connection, index: number) => Promise<unknown>,
): Promise<number> {
  const connections = await Promise.all(Array.from({ length: clients }, () => Connection.open(target)));
  let next = 0;
  const started = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      for (let index = next++; index < total; index = next++) await call(connection, index);
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  for (const connection of connections) connection.close();
  return total / seconds;
}
