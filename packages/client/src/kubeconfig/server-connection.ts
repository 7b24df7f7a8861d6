import { readFile } from "node:fs/promises";
import type { Clock } from "@binnacle/base";
import { basicAuth, bearerToken, type CredentialSource, fixedCredentials } from "../transport/credentials.ts";
import type { ServerConnection } from "../transport/http-transport.ts";
import { execCredentials } from "./exec-credentials.ts";
import { type ClusterEntry, type Kubeconfig, KubeconfigError, type UserEntry } from "./kubeconfig.ts";
import { tokenFileCredentials } from "./token-file.ts";

export interface ConnectOptions {
  readonly clock: Clock;
  /** Default: the current context. */
  readonly context?: string;
  /** What exec plugins inherit. Default: nothing. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** What a context of a kubeconfig says about the server and the user. Reads the files it names. */
export async function serverConnection(
  config: Kubeconfig,
  options: ConnectOptions,
): Promise<ServerConnection> {
  const contextName = options.context ?? config["current-context"] ?? "";
  if (contextName === "") throw new KubeconfigError("no context is chosen: set current-context or name one");
  const context = config.contexts.find((each) => each.name === contextName)?.context;
  if (context === undefined)
    throw new KubeconfigError(`context ${JSON.stringify(contextName)} does not exist`);
  const cluster = config.clusters.find((each) => each.name === context.cluster)?.cluster;
  if (cluster === undefined)
    throw new KubeconfigError(
      `cluster ${JSON.stringify(context.cluster)} of context ${JSON.stringify(contextName)} does not exist`,
    );
  const userName = context.user ?? "";
  const user = userName === "" ? {} : config.users.find((each) => each.name === userName)?.user;
  if (user === undefined)
    throw new KubeconfigError(
      `user ${JSON.stringify(userName)} of context ${JSON.stringify(contextName)} does not exist`,
    );
  const server = await clusterConnection(cluster, context.cluster);
  return {
    ...server,
    credentials: await userCredentials(user, userName, server, options),
    ...(context.namespace === undefined ? {} : { namespace: context.namespace }),
    ...(user.as === undefined || user.as === ""
      ? {}
      : {
          impersonate: {
            user: user.as,
            ...(user["as-uid"] === undefined ? {} : { uid: user["as-uid"] }),
            ...(user["as-groups"] === undefined ? {} : { groups: user["as-groups"] }),
          },
        }),
  };
}

async function clusterConnection(cluster: ClusterEntry, name: string): Promise<ServerConnection> {
  const label = `cluster ${JSON.stringify(name)}`;
  if (cluster.server === undefined || cluster.server === "")
    throw new KubeconfigError(`${label} has no server`);
  if (cluster["proxy-url"] !== undefined && cluster["proxy-url"] !== "")
    throw new KubeconfigError(`${label} has a proxy-url, which is not supported`);
  const server = cluster.server.includes("://") ? cluster.server : `http://${cluster.server}`;
  if (!URL.canParse(server) || !/^https?:/.test(server))
    throw new KubeconfigError(`${label} has an unusable server ${JSON.stringify(cluster.server)}`);
  const authority = await readPem(
    cluster["certificate-authority-data"],
    cluster["certificate-authority"],
    `${label}: certificate-authority`,
  );
  const isInsecure = cluster["insecure-skip-tls-verify"] === true;
  if (isInsecure && authority !== undefined)
    throw new KubeconfigError(
      `${label} has both a certificate authority and insecure-skip-tls-verify; only one may be given`,
    );
  const tlsServerName = cluster["tls-server-name"];
  return {
    server,
    ...(authority === undefined ? {} : { certificateAuthority: authority }),
    ...(tlsServerName === undefined || tlsServerName === "" ? {} : { tlsServerName }),
    ...(isInsecure ? { insecureSkipTlsVerify: true } : {}),
  };
}

async function userCredentials(
  user: UserEntry,
  name: string,
  server: ServerConnection,
  options: ConnectOptions,
): Promise<CredentialSource> {
  const label = `user ${JSON.stringify(name)}`;
  if (user["auth-provider"] !== undefined)
    throw new KubeconfigError(`${label} has an auth-provider, which is not supported; use exec`);
  const certificate = await readPem(
    user["client-certificate-data"],
    user["client-certificate"],
    `${label}: client-certificate`,
  );
  const key = await readPem(user["client-key-data"], user["client-key"], `${label}: client-key`);
  if ((certificate === undefined) !== (key === undefined))
    throw new KubeconfigError(`${label} needs both a client certificate and a client key`);
  const tls =
    certificate === undefined || key === undefined ? {} : { clientCertificate: certificate, clientKey: key };
  if (user.tokenFile !== undefined && user.tokenFile !== "")
    return tokenFileCredentials(user.tokenFile, options.clock, tls);
  if (user.token !== undefined && user.token !== "")
    return fixedCredentials({ ...tls, ...bearerToken(user.token) });
  if (user.username !== undefined && user.username !== "")
    return fixedCredentials({ ...tls, ...basicAuth(user.username, user.password ?? "") });
  if (user.exec !== undefined)
    return execCredentials(user.exec, {
      label,
      clock: options.clock,
      environment: options.environment ?? {},
      server,
      fallback: tls,
    });
  return fixedCredentials(tls);
}

/** Inline data wins over the file. */
async function readPem(
  data: string | undefined,
  path: string | undefined,
  what: string,
): Promise<string | undefined> {
  if (data !== undefined && data !== "") return Buffer.from(data, "base64").toString("utf8");
  if (path === undefined || path === "") return undefined;
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new KubeconfigError(`${what} cannot be read from ${path}`, { cause });
  }
}
