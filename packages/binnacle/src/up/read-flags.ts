import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIPv4 } from "node:net";
import { resolve } from "node:path";
import {
  COMPONENT_NAMES,
  defaultNodes,
  type ManifestObject,
  type NodeTemplate,
  reasonOf,
  type ServedClusterOptions,
} from "@binnacle/cluster";
import { type AuthorizationMode, parseTokenFile } from "@binnacle/kube-apiserver";
import { parseDuration } from "../flags/parse-duration.ts";
import { parseNode } from "../flags/parse-node.ts";
import { parseAddress, parseBoolean, parseChoice, parseCount, parseList } from "../flags/parse-values.ts";
import { UsageError } from "../flags/usage-error.ts";
import { dataDirectoryFrom } from "../flags/which-cluster.ts";
import type { Terminal } from "../terminal.ts";
import { readManifests } from "./read-manifests.ts";
import type { UpFlags } from "./up-flags.ts";

/** What `up` is to do: flags that were understood, and files that were read. */
export interface UpPlan {
  readonly cluster: ServedClusterOptions & { readonly nodes: readonly NodeTemplate[]; readonly name: string };
  readonly manifests: readonly ManifestObject[];
}

const AUTHORIZATION_MODES: readonly AuthorizationMode[] = ["Node", "RBAC", "AlwaysAllow", "AlwaysDeny"];
const STORES = ["lmdb", "memory"] as const;
const MAX_NODES = 10_000;
const MAX_PORT = 65_535;

/** Reads every flag and every file that a flag names, before anything is started. Throws with one clear sentence. */
export async function readUpFlags(flags: UpFlags, terminal: Terminal): Promise<UpPlan> {
  const tls = await readTls(flags);
  const clientCa = await readNamed(flags.clientCaFile, "--client-ca-file");
  if (clientCa !== undefined) checkCertificate(clientCa, "--client-ca-file");
  const components = parseList(flags.components).map((word) =>
    parseChoice(word, "--components", COMPONENT_NAMES),
  );
  return {
    cluster: {
      dataDirectory: dataDirectoryFrom(flags, terminal),
      name: flags.name,
      nodes: readNodes(flags),
      securePort: parseCount(flags.securePort, "--secure-port", MAX_PORT),
      store: parseChoice(flags.store, "--store", STORES),
      bindAddress: parseAddress(flags.bindAddress, "--bind-address"),
      ...(flags.advertiseAddress === undefined
        ? {}
        : { advertiseAddress: parseAddress(flags.advertiseAddress, "--advertise-address") }),
      ...(components.length === 0 ? {} : { components }),
      ...(flags.writeKubeconfig === undefined ? {} : { kubeconfigFile: resolve(flags.writeKubeconfig) }),
      ...(tls === undefined ? {} : { tls }),
      ...(clientCa === undefined ? {} : { clientCa }),
      apiServer: await readApiServerFlags(flags),
    },
    manifests: await readManifests(flags.filename ?? []),
  };
}

async function readApiServerFlags(flags: UpFlags): Promise<NonNullable<ServedClusterOptions["apiServer"]>> {
  const modes = parseList(flags.authorizationMode).map((mode) =>
    parseChoice(mode, "--authorization-mode", AUTHORIZATION_MODES),
  );
  return {
    tokens: await readTokens(flags),
    ...(modes.length === 0 ? {} : { authorizationModes: modes }),
    enabledAdmissionPlugins: parseList(flags.enableAdmissionPlugins),
    disabledAdmissionPlugins: parseList(flags.disableAdmissionPlugins),
    serviceClusterIpRange: checkedRange(flags.serviceClusterIpRange),
    anonymousAuth: parseBoolean(flags.anonymousAuth ?? true, "--anonymous-auth"),
    allowPrivileged: parseBoolean(flags.allowPrivileged ?? true, "--allow-privileged"),
    ...(flags.etcdCompactionInterval === undefined
      ? {}
      : {
          compactionIntervalMs: parseDuration(flags.etcdCompactionInterval, "--etcd-compaction-interval"),
        }),
  };
}

/** `--nodes` counts plain ones; each `--node` is one more. Without `--nodes` there are only those, or one. */
function readNodes(flags: UpFlags): readonly NodeTemplate[] {
  const given = flags.node ?? [];
  const count = flags.nodes ?? (given.length === 0 ? "1" : "0");
  const nodes = defaultNodes(parseCount(count, "--nodes", MAX_NODES));
  for (const text of given) nodes.push(parseNode(text, nodes.length + 1));
  const names = new Set<string>();
  for (const { name } of nodes) {
    if (names.has(name)) throw new UsageError(`--node: there are two nodes called ${JSON.stringify(name)}`);
    names.add(name);
  }
  return nodes;
}

async function readTokens(flags: UpFlags): Promise<ReturnType<typeof parseTokenFile>> {
  const text = await readNamed(flags.tokenAuthFile, "--token-auth-file");
  if (text === undefined) return [];
  try {
    return parseTokenFile(text);
  } catch (cause) {
    throw new UsageError(`--token-auth-file: ${flags.tokenAuthFile}: ${reasonOf(cause)}`, { cause });
  }
}

async function readTls(flags: UpFlags): Promise<ServedClusterOptions["tls"]> {
  const certificate = await readNamed(flags.tlsCertFile, "--tls-cert-file");
  const privateKey = await readNamed(flags.tlsPrivateKeyFile, "--tls-private-key-file");
  if (certificate === undefined && privateKey === undefined) return undefined;
  if (certificate === undefined || privateKey === undefined) {
    throw new UsageError("--tls-cert-file and --tls-private-key-file must be given together");
  }
  const parsed = checkCertificate(certificate, "--tls-cert-file");
  let isPair: boolean;
  try {
    isPair = parsed.checkPrivateKey(createPrivateKey(privateKey));
  } catch (cause) {
    throw new UsageError(`--tls-private-key-file: ${flags.tlsPrivateKeyFile} holds no private key in PEM`, {
      cause,
    });
  }
  if (!isPair)
    throw new UsageError("--tls-private-key-file is not the key of the certificate in --tls-cert-file");
  return { certificate, privateKey };
}

function checkCertificate(pem: string, flag: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new UsageError(`${flag} holds no certificate in PEM`, { cause });
  }
}

async function readNamed(path: string | undefined, flag: string): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new UsageError(`${flag}: cannot read ${path}: ${reasonOf(cause)}`, { cause });
  }
}

/** Source: kubernetes v1.36 cmd/kube-apiserver/app/options/validation.go: at most 20 bits of addresses. */
function checkedRange(text: string): string {
  const [address = "", prefix = "", ...rest] = text.split("/");
  const bits = Number(prefix);
  if (rest.length > 0 || !isIPv4(address) || !/^[0-9]+$/.test(prefix) || bits < 12 || bits > 30) {
    throw new UsageError(
      `--service-cluster-ip-range: ${JSON.stringify(text)} is not an IPv4 range between /12 and /30 such as 10.96.0.0/16`,
    );
  }
  return text;
}
