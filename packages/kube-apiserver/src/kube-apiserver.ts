import { hostname } from "node:os";
import { builtinResources, builtinSchema, type Service } from "@binnacle/api";
import type { UnstructuredObject } from "@binnacle/apimachinery";
import {
  type ApiServerCore,
  type Authorizer,
  FlowControl,
  type HttpServer,
  type HttpServerOptions,
  objectOf,
  type ResourceHooks,
  ResourceRegistry,
  startHttpServer,
  type UserInfo,
  WatchHub,
} from "@binnacle/apiserver";
import {
  Activity,
  type Clock,
  type Logger,
  type Random,
  type Stoppable,
  StopStack,
  type Timer,
} from "@binnacle/base";
import type { Storage } from "@binnacle/storage";
import { choosePlugins } from "./admission-plugins/plugins.ts";
import { privilegedContainers } from "./admission-plugins/privileged-containers/plugin.ts";
import { createAuthenticator } from "./authentication/authenticator.ts";
import { type BoundObjects, ServiceAccountTokens } from "./authentication/service-account-tokens.ts";
import { TokenTable } from "./authentication/token-file.ts";
import { alwaysAllow, alwaysDeny, chainAuthorizers } from "./authorization/chain.ts";
import { escalationHooks } from "./authorization/rbac/escalation.ts";
import { RbacAuthorizer } from "./authorization/rbac/rbac-authorizer.ts";
import { createBootstrapObjects } from "./bootstrap/bootstrap.ts";
import { holdIdentityLease } from "./bootstrap/identity-lease.ts";
import { publishKubernetesEndpoints } from "./bootstrap/kubernetes-endpoints.ts";
import { followFlowControlConfiguration } from "./flow-control/follow-configuration.ts";
import { createPaths } from "./paths.ts";
import { reviewHooks } from "./reviews/hooks.ts";
import { parseCidr } from "./service-network/cidr.ts";
import { ServiceNetwork } from "./service-network/service-hooks.ts";
import { certificateSigningRequestHooks } from "./subresources/certificatesigningrequest/hooks.ts";
import { namespaceHooks } from "./subresources/namespace/hooks.ts";
import { nodeConnections, serviceConnections } from "./subresources/node-connections.ts";
import { bindPod } from "./subresources/pod/binding.ts";
import { podHooks } from "./subresources/pod/hooks.ts";
import { requestToken } from "./subresources/serviceaccount/token.ts";

/** A mode of `--authorization-mode`. */
export type AuthorizationMode = "Node" | "RBAC" | "AlwaysAllow" | "AlwaysDeny";

/** Settings of the API server; the names are kube-apiserver's where it has them. */
export interface KubeApiServerOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** PEM of the P-256 key that signs service-account tokens, and its id. */
  readonly serviceAccountKey: { readonly privateKey: string; readonly keyId: string };
  /** Requests and events under way are counted here. Default: a counter of its own. */
  readonly activity?: Activity;
  /** Source: --service-account-issuer. Default `https://kubernetes.default.svc.cluster.local`. */
  readonly serviceAccountIssuer?: string;
  /** Source: --token-auth-file. Default none. */
  readonly tokens?: readonly { readonly token: string; readonly user: UserInfo }[];
  /** Source: --authorization-mode. Default Node, RBAC. */
  readonly authorizationModes?: readonly AuthorizationMode[];
  /** Source: --anonymous-auth. Default true. */
  readonly anonymousAuth?: boolean;
  /** Source: --service-cluster-ip-range. Default 10.96.0.0/16. */
  readonly serviceClusterIpRange?: string;
  /** Source: --enable-admission-plugins. */
  readonly enabledAdmissionPlugins?: readonly string[];
  /** Source: --disable-admission-plugins. */
  readonly disabledAdmissionPlugins?: readonly string[];
  /** Source: --allow-privileged. Default true, as kubeadm sets it. */
  readonly allowPrivileged?: boolean;
  /** How long history is kept, in milliseconds. Source: --etcd-compaction-interval; it runs twice as often. Default 10 min. */
  readonly compactionIntervalMs?: number;
  /** PEM of the CA that client certificates must come from; published for aggregated servers. */
  readonly clientCa?: string;
}

/** The API server with the built-in kinds. Usable in process as soon as it exists; serves the network on `listen`. */
export interface KubeApiServer extends Stoppable {
  readonly core: ApiServerCore;
  /** The default policy, namespaces and services exist. */
  readonly isReady: boolean;
  /** Serves HTTP. Rejects when the port is taken. */
  listen(options: ListenOptions): Promise<HttpServer>;
}

export interface ListenOptions extends HttpServerOptions {
  /** The address that the endpoints of the service `kubernetes` show. Source: --advertise-address. Default: none are published. */
  readonly advertiseAddress?: string;
}

const DEFAULT_ISSUER = "https://kubernetes.default.svc.cluster.local";
const DEFAULT_COMPACTION_MS = 10 * 60_000;

/** Puts the API server together and creates what every cluster has. Throws for settings that make no sense. */
export async function createKubeApiServer(options: KubeApiServerOptions): Promise<KubeApiServer> {
  const { storage, clock, random, logger } = options;
  const stack = new StopStack();
  const registry = new ResourceRegistry();
  const watchHub = new WatchHub(storage);
  stack.add(() => watchHub.stop());
  const network = new ServiceNetwork(parseCidr(options.serviceClusterIpRange ?? "10.96.0.0/16"), () =>
    random.next(),
  );
  const rbac = new RbacAuthorizer(storage);
  const tokens = new TokenTable();
  for (const { token, user } of options.tokens ?? []) tokens.add(token, user);
  const serviceAccounts = new ServiceAccountTokens({
    ...options.serviceAccountKey,
    issuer: options.serviceAccountIssuer ?? DEFAULT_ISSUER,
    clock,
    random,
    bound: boundObjects(storage),
  });
  const authorizer = authorizerOf(options.authorizationModes ?? ["Node", "RBAC"], rbac);
  let address = "";
  let isReady = false;
  const core: ApiServerCore = {
    storage,
    registry,
    watchHub,
    admission: [
      ...choosePlugins({
        enabled: options.enabledAdmissionPlugins ?? [],
        disabled: options.disabledAdmissionPlugins ?? [],
      }),
      ...(options.allowPrivileged === false ? [privilegedContainers] : []),
    ],
    authenticator: createAuthenticator({ tokens, serviceAccounts }),
    authorizer,
    allowsAnonymous: options.anonymousAuth ?? true,
    flowControl: new FlowControl({ clock }),
    clock,
    random,
    logger,
    activity: options.activity ?? new Activity(),
    schemas: {
      deleteOptions: builtinSchema("meta.v1.DeleteOptions"),
      scale: builtinSchema("autoscaling.v1.Scale"),
      status: builtinSchema("meta.v1.Status"),
      objectMeta: builtinSchema("meta.v1.ObjectMeta"),
      listMeta: builtinSchema("meta.v1.ListMeta"),
    },
    paths: createPaths({
      serviceAccounts,
      serverAddress: () => address,
      pendingChecks: () => (isReady ? [] : ["poststarthook/bootstrap"]),
    }),
  };
  const usesRbac = (options.authorizationModes ?? ["RBAC"]).includes("RBAC");
  const named = new Map([
    ...reviewHooks({ authorizer, rbac: usesRbac ? rbac : undefined, tokens, serviceAccounts }),
    ...(usesRbac ? escalationHooks(rbac) : []),
  ]);
  for (const definition of builtinResources) {
    const name = definition.group === "" ? definition.resource : `${definition.resource}.${definition.group}`;
    registry.register(definition, hooksOf(name, network, named, serviceAccounts));
  }
  for (const entry of storage.range({ prefix: "/registry/core/services/" }).entries) {
    network.restore(objectOf<Service>(entry));
  }
  stack.add(startCompaction(core, options.compactionIntervalMs ?? DEFAULT_COMPACTION_MS));
  await createBootstrapObjects(core, {
    serviceAddress: network.firstAddress,
    serviceClusterIpRange: options.serviceClusterIpRange ?? "10.96.0.0/16",
    clientCa: options.clientCa,
  });
  stack.use(followFlowControlConfiguration(core));
  stack.use(await holdIdentityLease(core, hostname()));
  isReady = true;
  return {
    core,
    get isReady() {
      return isReady;
    },
    async listen(http) {
      const server = await startHttpServer(core, http);
      stack.add(() => server.stop());
      address = `${server.host}:${server.port}`;
      const { advertiseAddress: ip } = http;
      if (ip !== undefined) stack.use(await publishKubernetesEndpoints(core, { ip, port: server.port }));
      return server;
    },
    stop: () => stack.stop(),
  };
}

function authorizerOf(modes: readonly AuthorizationMode[], rbac: RbacAuthorizer): Authorizer {
  const chain: Authorizer[] = [];
  for (const mode of modes) {
    if (mode === "RBAC") chain.push(rbac);
    else if (mode === "AlwaysAllow") chain.push(alwaysAllow);
    else if (mode === "AlwaysDeny") chain.push(alwaysDeny);
  }
  return chain.length === 1 ? chain[0]! : chainAuthorizers(chain);
}

function hooksOf(
  name: string,
  network: ServiceNetwork,
  named: ReadonlyMap<string, ResourceHooks>,
  tokens: ServiceAccountTokens,
): ResourceHooks {
  switch (name) {
    case "namespaces":
      return namespaceHooks;
    case "pods":
      return podHooks;
    case "services":
      return { ...network.hooks, subresources: serviceConnections };
    case "nodes":
      return { subresources: nodeConnections };
    case "certificatesigningrequests.certificates.k8s.io":
      return certificateSigningRequestHooks;
    case "serviceaccounts":
      return {
        subresources: {
          token: {
            verbs: ["create"],
            kind: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" },
            handle: ({ core, request, served }) => requestToken(core, request, served, tokens),
          },
        },
      };
    case "bindings":
      return {
        answerRaw: ({ core, request }) => {
          const pods = core.registry.find("", "v1", "pods");
          if (pods === undefined) throw new Error("pods are not served");
          return bindPod(core, request, pods);
        },
      };
    default:
      return named.get(name) ?? {};
  }
}

function boundObjects(storage: Storage): BoundObjects {
  const prefixes = {
    ServiceAccount: "serviceaccounts",
    Pod: "pods",
    Secret: "secrets",
    Node: "nodes",
  } as const;
  return {
    uidOf(kind, namespace, name) {
      const key = `/registry/core/${prefixes[kind]}/${namespace === "" ? "" : `${namespace}/`}${name}`;
      const entry = storage.get(key);
      if (entry === undefined) return undefined;
      const object: UnstructuredObject = objectOf(entry);
      return object.metadata.uid;
    },
  };
}

/** Forgets history that is older than the interval. Source: apiserver/pkg/storage/etcd3/compact.go. */
function startCompaction(core: ApiServerCore, intervalMs: number): () => void {
  const { storage, clock, logger } = core;
  if (intervalMs <= 0) return () => {};
  let previous = storage.revision;
  let timer: Timer;
  const tick = (): void => {
    const target = previous;
    previous = storage.revision;
    storage.compact(target).catch((error: unknown) => logger.error("compaction failed", { error }));
    timer = clock.setTimer(intervalMs, tick);
  };
  timer = clock.setTimer(intervalMs, tick);
  return () => timer.cancel();
}
