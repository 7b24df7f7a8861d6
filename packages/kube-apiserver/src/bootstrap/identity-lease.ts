import { createHash } from "node:crypto";
import type { Lease } from "@binnacle/api";
import { msToMicroTime, type UnstructuredObject } from "@binnacle/apimachinery";
import { type ApiServerCore, keyOf, objectOf, requestInProcess } from "@binnacle/apiserver";
import type { Stoppable, Timer } from "@binnacle/base";
import { API_SERVER } from "./bootstrap.ts";

/** Source: kubernetes v1.36 pkg/controlplane/apiserver/server.go, IdentityLeaseDurationSeconds. */
const LEASE_SECONDS = 3_600;
/**
 * Upstream renews every ten seconds. Nobody looks at a lease of an hour that often, and an idle cluster that writes
 * nothing can sleep.
 */
const RENEW_MS = 600_000;
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";

/**
 * Keeps a Lease that says which API servers there are; its name is made of the host's.
 *
 * Source: kubernetes v1.36 pkg/controlplane/apiserver/server.go.
 */
export async function holdIdentityLease(core: ApiServerCore, hostname: string): Promise<Stoppable> {
  let timer: Timer | undefined;
  let isStopped = false;
  const hold = async (): Promise<void> => {
    try {
      await renew(core, hostname);
    } catch (error) {
      core.logger.warn("the lease of the API server cannot be renewed", { error });
    }
    if (!isStopped) timer = core.clock.setTimer(RENEW_MS, () => void hold());
  };
  await hold();
  return {
    async stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}

async function renew(core: ApiServerCore, hostname: string): Promise<void> {
  const served = core.registry.findByKind("coordination.k8s.io/v1", "Lease");
  if (served === undefined) return; // Not served: nobody can look.
  const name = identityOf(hostname);
  const entry = core.storage.get(keyOf(served, "kube-system", name));
  const before = entry && objectOf<Lease & UnstructuredObject>(entry);
  const lease = {
    kind: "Lease",
    apiVersion: "coordination.k8s.io/v1",
    metadata: before?.metadata ?? {
      name,
      namespace: "kube-system",
      labels: { "apiserver.kubernetes.io/identity": "kube-apiserver", "kubernetes.io/hostname": hostname },
    },
    spec: {
      holderIdentity: before?.spec?.holderIdentity ?? name,
      leaseDurationSeconds: LEASE_SECONDS,
      renewTime: msToMicroTime(core.clock.now()),
    },
  };
  await requestInProcess(core, {
    method: before === undefined ? "POST" : "PUT",
    path: before === undefined ? LEASES : `${LEASES}/${name}`,
    query: new URLSearchParams(),
    user: API_SERVER,
    userAgent: "kube-apiserver",
    body: lease,
  });
}

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** `apiserver-` and 26 characters. */
export function identityOf(hostname: string): string {
  const hash = createHash("sha256").update(hostname).digest().subarray(0, 16);
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of hash) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(value >> (bits - 5)) & 31];
    value &= 31;
  }
  if (bits > 0) text += BASE32[(value << (5 - bits)) & 31];
  return `apiserver-${text}`;
}
