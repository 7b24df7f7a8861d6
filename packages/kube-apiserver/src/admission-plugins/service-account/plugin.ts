import type { Pod, ServiceAccount, Volume, VolumeMount } from "@binnacle/api";
import type { AdmissionAttributes, AdmissionPlugin, ApiServerCore } from "@binnacle/apiserver";
import { randomSuffix } from "@binnacle/base";
import { findObject } from "../lookup.ts";
import { referredResource } from "../pod-references.ts";
import { refusal } from "../refusal.ts";

const TOKEN_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
const DEFAULT_ACCOUNT = "default";
const MIRROR_ANNOTATION = "kubernetes.io/config.mirror";
/** Source: kubernetes v1.36 pkg/serviceaccount WarnOnlyBoundTokenExpirationPeriod: an hour and seven seconds. */
const TOKEN_SECONDS = 3607;

/**
 * Gives a pod its service account and mounts the account's token.
 *
 * Source: kubernetes v1.36 plugin/pkg/admission/serviceaccount/admission.go.
 */
export const serviceAccount: AdmissionPlugin = {
  name: "ServiceAccount",
  operations: ["CREATE"],
  mutate(attributes, core) {
    const pod = podOf(attributes);
    if (pod === undefined || isMirror(pod)) return;
    const { spec } = pod;
    if ((spec.serviceAccountName ?? "") === "") spec.serviceAccountName = DEFAULT_ACCOUNT;
    spec.serviceAccount = spec.serviceAccountName ?? DEFAULT_ACCOUNT; // The old name of the same field.
    const account = mustFind(core, attributes, spec.serviceAccountName ?? DEFAULT_ACCOUNT);
    if (mountsToken(pod, account)) mountToken(pod, core);
    if ((spec.imagePullSecrets ?? []).length === 0 && (account.imagePullSecrets ?? []).length > 0) {
      spec.imagePullSecrets = structuredClone(account.imagePullSecrets ?? []);
    }
  },
  validate(attributes, core) {
    const pod = podOf(attributes);
    if (pod === undefined) return;
    if (!isMirror(pod)) {
      mustFind(core, attributes, pod.spec.serviceAccountName ?? "");
      return;
    }
    const referred = referredResource(pod);
    if (referred !== undefined) throw refusal(attributes, `a mirror pod may not reference ${referred}`);
  },
};

function podOf(attributes: AdmissionAttributes): Pod | undefined {
  const { served, subresource, object } = attributes;
  if (served.group !== "" || served.resource !== "pods" || subresource !== "") return undefined;
  return object as unknown as Pod | undefined; // Decoded as a Pod.
}

function isMirror(pod: Pod): boolean {
  return pod.metadata.annotations?.[MIRROR_ANNOTATION] !== undefined;
}

function mustFind(core: ApiServerCore, attributes: AdmissionAttributes, name: string): ServiceAccount {
  const { namespace } = attributes;
  const account = findObject<ServiceAccount>(
    core,
    { group: "", resource: "serviceaccounts" },
    name,
    namespace,
  );
  if (account !== undefined) return account;
  throw refusal(
    attributes,
    `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`,
  );
}

function mountsToken(pod: Pod, account: ServiceAccount): boolean {
  return pod.spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
}

function mountToken(pod: Pod, core: ApiServerCore): void {
  const { spec } = pod;
  const existing = (spec.volumes ?? []).find((volume) => isTokenVolume(volume));
  const name = existing?.name ?? `kube-api-access-${randomSuffix(core.random, 5)}`;
  let isUsed = false;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    const mounts: VolumeMount[] = container.volumeMounts ?? [];
    if (mounts.some((mount) => mount.mountPath === TOKEN_PATH)) continue;
    container.volumeMounts = [...mounts, { name, readOnly: true, mountPath: TOKEN_PATH }];
    isUsed = true;
  }
  if (isUsed && existing === undefined) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
}

function isTokenVolume(volume: Volume): boolean {
  return volume.name.startsWith("kube-api-access-") && volume.projected !== undefined;
}

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: "token" } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        {
          downwardAPI: {
            items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
          },
        },
      ],
      defaultMode: 0o644,
    },
  };
}
