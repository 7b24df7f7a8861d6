import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@binnacle/base";
import type { ServerConnection } from "../transport/http-transport.ts";
import { KubeconfigError } from "./kubeconfig.ts";
import { tokenFileCredentials } from "./token-file.ts";

/** Where every pod finds its service account. */
const SERVICE_ACCOUNT_DIRECTORY = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * What a pod knows about its API server: the address from the environment, the rest from the mounted service account.
 *
 * Source: kubernetes v1.36 client-go/rest/config.go, InClusterConfig.
 */
export async function inClusterConnection(options: {
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Default `/var/run/secrets/kubernetes.io/serviceaccount`. */
  readonly directory?: string;
}): Promise<ServerConnection> {
  const host = options.environment["KUBERNETES_SERVICE_HOST"];
  const port = options.environment["KUBERNETES_SERVICE_PORT"];
  if (host === undefined || host === "" || port === undefined || port === "")
    throw new KubeconfigError(
      "not inside a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be set",
    );
  const directory = options.directory ?? SERVICE_ACCOUNT_DIRECTORY;
  const credentials = tokenFileCredentials(join(directory, "token"), options.clock);
  await credentials.current(); // Fails now rather than at the first request.
  const [certificateAuthority, namespace] = await Promise.all([
    readFile(join(directory, "ca.crt"), "utf8"),
    readFile(join(directory, "namespace"), "utf8").then((text) => text.trim()),
  ]);
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    certificateAuthority,
    credentials,
    namespace,
  };
}
