import { spawn } from "node:child_process";
import type { Clock } from "@binnacle/base";
import { bearerToken, type CredentialSource, type Credentials } from "../transport/credentials.ts";
import type { ServerConnection } from "../transport/http-transport.ts";
import { type ExecEntry, KubeconfigError } from "./kubeconfig.ts";

export interface ExecOptions {
  /** Who it is for, in errors. */
  readonly label: string;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Told to the program when the kubeconfig asks for it. */
  readonly server: ServerConnection;
  /** Credentials used beside what the program gives. */
  readonly fallback?: Credentials;
}

const API_VERSIONS: ReadonlySet<string> = new Set([
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
]);

/** The most a program may print. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

/**
 * Credentials printed by a program, kept until they expire or the server refuses them. Calls that come while the
 * program runs wait for the same run.
 *
 * Source: kubernetes v1.36 client-go/plugin/pkg/client/auth/exec/exec.go.
 */
export function execCredentials(exec: ExecEntry, options: ExecOptions): CredentialSource {
  const { label } = options;
  if (!API_VERSIONS.has(exec.apiVersion))
    throw new KubeconfigError(
      `${label}: exec plugin apiVersion ${JSON.stringify(exec.apiVersion)} is not known`,
    );
  if (exec.interactiveMode === "Always")
    throw new KubeconfigError(`${label}: the exec plugin needs a terminal, which is not available`);
  let cached: { credentials: Credentials; expiresAt: number } | undefined;
  let running: Promise<Credentials> | undefined;

  const refresh = async (): Promise<Credentials> => {
    const status = readExecCredential(await runProgram(exec, options), exec, label);
    const { clientCertificateData, clientKeyData, token, expirationTimestamp } = status;
    const credentials = {
      ...options.fallback,
      ...(token === undefined ? {} : bearerToken(token)),
      ...(clientCertificateData === undefined || clientKeyData === undefined
        ? {}
        : { clientCertificate: clientCertificateData, clientKey: clientKeyData }),
    };
    const expiresAt =
      expirationTimestamp === undefined ? Number.POSITIVE_INFINITY : Date.parse(expirationTimestamp);
    cached = { credentials, expiresAt };
    return credentials;
  };

  return {
    current() {
      if (cached !== undefined && options.clock.now() < cached.expiresAt)
        return Promise.resolve(cached.credentials);
      running ??= refresh().finally(() => {
        running = undefined;
      });
      return running;
    },
    invalidate() {
      const wasCached = cached !== undefined;
      cached = undefined;
      return wasCached;
    },
  };
}

interface ExecCredentialStatus {
  token?: string;
  clientCertificateData?: string;
  clientKeyData?: string;
  expirationTimestamp?: string;
}

/** Reads what the program printed: an ExecCredential with a status. */
export function readExecCredential(text: string, exec: ExecEntry, label: string): ExecCredentialStatus {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new KubeconfigError(`${label}: the exec plugin did not print JSON`, { cause });
  }
  const credential = value as {
    apiVersion?: unknown;
    kind?: unknown;
    status?: ExecCredentialStatus;
  } | null; // Each field is asked before it is used.
  if (credential?.kind !== "ExecCredential" || credential.apiVersion !== exec.apiVersion)
    throw new KubeconfigError(`${label}: the exec plugin must print an ExecCredential of ${exec.apiVersion}`);
  const status = credential.status;
  if (status === undefined || status === null)
    throw new KubeconfigError(`${label}: the exec plugin printed no status`);
  const hasPair = Boolean(status.clientCertificateData) && Boolean(status.clientKeyData);
  if (!hasPair && Boolean(status.clientCertificateData) !== Boolean(status.clientKeyData))
    throw new KubeconfigError(
      `${label}: the exec plugin printed a certificate without a key, or the reverse`,
    );
  if (!hasPair && !status.token)
    throw new KubeconfigError(`${label}: the exec plugin printed neither a token nor a client certificate`);
  return status;
}

function runProgram(exec: ExecEntry, options: ExecOptions): Promise<string> {
  const extra = Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value]));
  const info = {
    kind: "ExecCredential",
    apiVersion: exec.apiVersion,
    spec: {
      interactive: false,
      ...(exec.provideClusterInfo === true ? { cluster: clusterInfo(options.server) } : {}),
    },
  };
  return new Promise((resolve, reject) => {
    const child = spawn(exec.command, exec.args ?? [], {
      env: { ...options.environment, ...extra, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES) child.kill();
      else chunks.push(chunk);
    });
    child.on("error", (cause) => {
      const hint = exec.installHint === undefined ? "" : `\n${exec.installHint}`;
      reject(
        new KubeconfigError(`${options.label}: the exec plugin ${exec.command} cannot be run${hint}`, {
          cause,
        }),
      );
    });
    child.on("close", (code, signal) => {
      if (size > MAX_OUTPUT_BYTES)
        reject(
          new KubeconfigError(
            `${options.label}: the exec plugin printed more than ${MAX_OUTPUT_BYTES} bytes`,
          ),
        );
      else if (code !== 0)
        reject(
          new KubeconfigError(
            `${options.label}: the exec plugin ${exec.command} failed with ${signal ?? `exit code ${code}`}`,
          ),
        );
      else resolve(Buffer.concat(chunks).toString("utf8"));
    });
  });
}

function clusterInfo(server: ServerConnection): Record<string, unknown> {
  const authority = server.certificateAuthority;
  return {
    server: server.server,
    ...(server.tlsServerName === undefined ? {} : { "tls-server-name": server.tlsServerName }),
    ...(server.insecureSkipTlsVerify === true ? { "insecure-skip-tls-verify": true } : {}),
    ...(authority === undefined
      ? {}
      : { "certificate-authority-data": Buffer.from(authority).toString("base64") }),
  };
}
