import {
  type ApiResponse,
  type ApiServerCore,
  discoveryHandler,
  OpenApi,
  objectResponse,
  type PathHandler,
  PathTable,
  pageNotFound,
} from "@binnacle/apiserver";
import type { ServiceAccountTokens } from "./authentication/service-account-tokens.ts";
import { discoveryOrder } from "./discovery/group-order.ts";
import { loadDescriptions } from "./openapi/descriptions.ts";
import { KUBERNETES_VERSION } from "./version.ts";

export interface PathOptions {
  readonly serviceAccounts: ServiceAccountTokens;
  readonly serverAddress: () => string;
  /** Names of the checks that have not passed yet; empty when the server is ready. */
  readonly pendingChecks: () => readonly string[];
}

/** Everything the server answers outside of resources. */
export function createPaths(options: PathOptions): PathTable {
  const paths = new PathTable();
  const discovery = discoveryHandler({ order: discoveryOrder, serverAddress: options.serverAddress });
  paths.add("/api/", discovery);
  paths.add("/apis/", discovery);
  const { handler: openApi } = new OpenApi({
    version: KUBERNETES_VERSION.gitVersion,
    descriptions: loadDescriptions,
  });
  paths.add("/openapi/v2", openApi);
  paths.add("/openapi/v3/", openApi);
  paths.add("/version", () => objectResponse(200, KUBERNETES_VERSION));
  paths.add("/version/", () => objectResponse(200, KUBERNETES_VERSION));
  for (const name of ["healthz", "livez", "readyz"]) {
    const handler = healthHandler(name, name === "readyz" ? options.pendingChecks : () => []);
    paths.add(`/${name}`, handler);
    // A single check by its name.
    paths.add(`/${name}/`, (core, request) => {
      const check = request.info.path.slice(`/${name}/`.length);
      return check === ""
        ? handler(core, request)
        : CHECKS.includes(check)
          ? plainText(200, "ok")
          : pageNotFound();
    });
  }
  paths.add("/.well-known/openid-configuration", (core) =>
    openIdConfiguration(core, options.serviceAccounts),
  );
  paths.add("/openid/v1/jwks", () => jwks(options.serviceAccounts));
  paths.add("/", () => objectResponse(200, { paths: paths.paths() }));
  return paths;
}

const CHECKS: readonly string[] = [
  "ping",
  "log",
  "etcd",
  "poststarthook/start-apiserver-admission-initializer",
];

/** Source: kubernetes v1.36 apiserver/pkg/server/healthz/healthz.go. */
function healthHandler(name: string, pending: () => readonly string[]): PathHandler {
  return (_core, request) => {
    const failed = pending();
    const isVerbose = request.query.get("verbose") !== null;
    const status = failed.length === 0 ? 200 : 500;
    let text = failed.length === 0 ? "ok" : "";
    if (isVerbose || failed.length > 0) {
      const lines = CHECKS.map((check) => `[+]${check} ok`);
      lines.push(...failed.map((check) => `[-]${check} failed: reason withheld`));
      text = `${lines.join("\n")}\n${name} check ${failed.length === 0 ? "passed" : "failed"}\n`;
    }
    return plainText(status, text);
  };
}

function plainText(status: number, text: string): ApiResponse {
  return {
    status,
    headers: { "x-content-type-options": "nosniff" },
    content: { kind: "raw", contentType: "text/plain; charset=utf-8", bytes: Buffer.from(text) },
  };
}

/** Source: kubernetes v1.36 pkg/serviceaccount/openidmetadata.go. */
function openIdConfiguration(_core: ApiServerCore, tokens: ServiceAccountTokens): ReturnType<PathHandler> {
  return objectResponse(200, {
    issuer: tokens.issuer,
    jwks_uri: `${tokens.issuer}/openid/v1/jwks`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
  });
}

function jwks(tokens: ServiceAccountTokens): ReturnType<PathHandler> {
  const key = tokens.publicKey.export({ format: "jwk" });
  const document = { keys: [{ use: "sig", kid: tokens.keyId, alg: "ES256", ...key }] };
  const bytes = Buffer.from(JSON.stringify(document));
  return { status: 200, content: { kind: "raw", contentType: "application/jwk-set+json", bytes } };
}
