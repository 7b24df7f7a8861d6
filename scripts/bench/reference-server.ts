// The plain server that Binnacle is compared with: TLS and HTTP/2 by Node, the same bytes, and nothing else.
import { createSecureServer, type ServerHttp2Stream } from "node:http2";

const config = JSON.parse(process.env["BENCH_REFERENCE"] ?? "{}") as {
  cert: string;
  key: string;
  /** What `/one` answers, and what is sent to every open `/watch` on a POST to `/event`. */
  one: string;
  /** How long the answer of `/list` is, made of `one` again and again. */
  listBytes: number;
};
const one = Buffer.from(config.one);
const list = Buffer.alloc(config.listBytes, one);
const watchers = new Set<ServerHttp2Stream>();
const server = createSecureServer({
  cert: config.cert,
  key: config.key,
  allowHTTP1: true,
  maxSessionMemory: 256,
});
server.on("stream", (stream, headers) => {
  const path = headers[":path"];
  stream.on("error", () => {});
  if (path === "/watch") {
    stream.respond({ ":status": 200, "content-type": "application/json" });
    watchers.add(stream);
    stream.on("close", () => watchers.delete(stream));
    return;
  }
  if (path === "/event") {
    for (const watcher of watchers) watcher.write(one);
  }
  const body = path === "/list" ? list : one;
  stream.respond({
    ":status": 200,
    "content-type": "application/json",
    "content-length": String(body.length),
  });
  stream.end(body);
});
server.listen(0, "127.0.0.1", () => {
  console.log(`listening ${(server.address() as { port: number }).port}`);
});
process.on("SIGTERM", () => process.exit(0));
