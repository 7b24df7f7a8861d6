import type {
  CertificateSigningRequest,
  CSIDriver,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ResourceSlice,
  TokenRequest,
} from "@binnacle/api";
import { notFound } from "@binnacle/apimachinery";
import type { AdmissionAttributes, AdmissionPlugin, ApiServerCore, UserInfo } from "@binnacle/apiserver";
import { jsonEquals } from "@binnacle/base";
import { subjectOf } from "../certificates/subject.ts";
import { findObject } from "../lookup.ts";
import { referredResource } from "../pod-references.ts";
import { refusal } from "../refusal.ts";
import { forbiddenChanges } from "./node-labels.ts";

/**
 * Keeps a kubelet to its own node: its Node, Lease, CSINode and slices, the pods bound to it, and their tokens. On by
 * default, as kubeadm has it.
 *
 * Source: kubernetes v1.36 plugin/pkg/admission/noderestriction/admission.go.
 */
export const nodeRestriction: AdmissionPlugin = {
  name: "NodeRestriction",
  operations: ["CREATE", "UPDATE", "DELETE"],
  mutate: restrict,
  // Deletions have no mutating half.
  validate: (attributes, core) =>
    attributes.operation === "DELETE" ? restrict(attributes, core) : undefined,
};

/** A request of a node. */
interface NodeRequest extends AdmissionAttributes {
  readonly node: string;
  readonly core: ApiServerCore;
}

function restrict(attributes: AdmissionAttributes, core: ApiServerCore): Promise<void> | void {
  const node = nodeOf(attributes.user);
  if (node === undefined) return;
  const check = CHECKS[`${attributes.served.group}/${attributes.served.resource}`];
  if (node === "") {
    throw refusal(attributes, `could not determine node from user ${JSON.stringify(attributes.user.name)}`);
  }
  return check?.({ ...attributes, node, core });
}

const USER_PREFIX = "system:node:";
const NODES_GROUP = "system:nodes";

/** The node that a user is; undefined when it is none. */
function nodeOf({ name, groups }: UserInfo): string | undefined {
  if (!name.startsWith(USER_PREFIX) || !groups.includes(NODES_GROUP)) return undefined;
  return name.slice(USER_PREFIX.length);
}

const CHECKS: Readonly<Record<string, (request: NodeRequest) => Promise<void> | void>> = {
  "/pods": checkPod,
  "/nodes": checkNode,
  "/persistentvolumeclaims": checkClaim,
  "/serviceaccounts": checkToken,
  "coordination.k8s.io/leases": checkLease,
  "storage.k8s.io/csinodes": checkCsiNode,
  "resource.k8s.io/resourceslices": checkSlice,
  "certificates.k8s.io/certificatesigningrequests": checkCertificate,
};

const PODS = { group: "", resource: "pods" };
const NODES = { group: "", resource: "nodes" };
const MIRROR_ANNOTATION = "kubernetes.io/config.mirror";

function checkPod(request: NodeRequest): void {
  const { subresource, node } = request;
  if (subresource === "") checkPodItself(request);
  else if (subresource === "status") checkPodStatus(request);
  else if (subresource !== "eviction") {
    const why = `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`;
    throw refusal(request, why);
  } else if (mustFindPod(request, request.name).spec.nodeName !== node) {
    throw refusal(request, `node ${node} can only evict pods with spec.nodeName set to itself`);
  }
}

function checkPodItself(request: NodeRequest): void {
  const { operation, node } = request;
  if (operation === "CREATE") checkMirrorPod(request);
  else if (operation !== "DELETE") {
    const why = `unexpected operation "${operation}", node "${node}" can only create and delete mirror pods`;
    throw refusal(request, why);
  } else if ((request.oldObject as unknown as Pod).spec.nodeName !== node) {
    throw refusal(request, `node "${node}" can only delete pods with spec.nodeName set to itself`);
  }
}

function checkMirrorPod(request: NodeRequest): void {
  const { node } = request;
  const pod = request.object as unknown as Pod; // By its resource.
  if (pod.metadata.annotations?.[MIRROR_ANNOTATION] === undefined) {
    const why = `pod does not have "${MIRROR_ANNOTATION}" annotation, node "${node}" can only create mirror pods`;
    throw refusal(request, why);
  }
  const only = (what: string): Error =>
    refusal(request, `node "${node}" can only create pods with ${what} set to itself`);
  if (pod.spec.nodeName !== node) throw only("spec.nodeName");
  const [owner, ...others] = pod.metadata.ownerReferences ?? [];
  if (others.length > 0) throw only("a single owner reference");
  if (owner?.apiVersion !== "v1" || owner.kind !== "Node" || owner.name !== node)
    throw only("an owner reference");
  if (owner.controller !== true) throw only("a controller owner reference");
  if (owner.blockOwnerDeletion === true) {
    throw refusal(request, `node "${node}" must not set blockOwnerDeletion on an owner reference`);
  }
  const known = findObject<Node>(request.core, NODES, node);
  if (known === undefined) throw notFound(NODES, node);
  if (known.metadata.uid !== owner.uid) {
    throw refusal(request, `node ${node} UID mismatch: expected ${owner.uid} got ${known.metadata.uid}`);
  }
  const referred = referredResource(pod);
  if (referred !== undefined)
    throw refusal(request, `node "${node}" can not create pods that reference ${referred}`);
}

function checkPodStatus(request: NodeRequest): void {
  const { node, operation } = request;
  if (operation !== "UPDATE") throw refusal(request, `unexpected operation "${operation}"`);
  // Pods, by their resource.
  const old = request.oldObject as unknown as Pod;
  const updated = request.object as unknown as Pod;
  if (old.spec.nodeName !== node) {
    throw refusal(
      request,
      `node "${node}" can only update pod status for pods with spec.nodeName set to itself`,
    );
  }
  if (!jsonEquals(old.metadata.labels ?? {}, updated.metadata.labels ?? {})) {
    throw refusal(request, `node "${node}" cannot update labels through pod status`);
  }
  if (!jsonEquals(old.status?.resourceClaimStatuses ?? [], updated.status?.resourceClaimStatuses ?? [])) {
    throw refusal(request, `node "${node}" cannot update resource claim statues`);
  }
}

function checkNode(request: NodeRequest): void {
  const { node, name, operation } = request;
  if (name !== node) throw refusal(request, `node "${node}" is not allowed to modify node "${name}"`);
  if (operation === "DELETE") return;
  // Nodes, by their resource.
  const updated = request.object as unknown as Node;
  const old = request.oldObject as unknown as Node | undefined;
  const forbidden = forbiddenChanges(updated.metadata.labels, old?.metadata.labels);
  const { configSource } = updated.spec ?? {};
  if (old === undefined) {
    if (configSource !== undefined) {
      throw refusal(request, `node "${node}" is not allowed to create pods with a non-nil configSource`);
    }
    if (forbidden.length > 0) {
      const why = `node "${node}" is not allowed to set the following labels: ${forbidden.join(", ")}`;
      throw refusal(request, why);
    }
    return;
  }
  if (configSource !== undefined && !jsonEquals(configSource, old.spec?.configSource)) {
    throw refusal(
      request,
      `node "${node}" is not allowed to update configSource to a new non-nil configSource`,
    );
  }
  if (!jsonEquals(updated.spec?.taints ?? [], old.spec?.taints ?? [])) {
    throw refusal(request, `node "${node}" is not allowed to modify taints`);
  }
  if (!jsonEquals(updated.metadata.ownerReferences ?? [], old.metadata.ownerReferences ?? [])) {
    throw refusal(request, `node "${node}" is not allowed to modify ownerReferences`);
  }
  if (forbidden.length > 0)
    throw refusal(request, `is not allowed to modify labels: ${forbidden.join(", ")}`);
}

const GROWING = ["capacity", "conditions", "allocatedResources", "allocatedResourceStatuses"] as const;

function checkClaim(request: NodeRequest): void {
  const { subresource, operation, node } = request;
  if (subresource !== "status") throw refusal(request, "may only update PVC status");
  if (operation !== "UPDATE") throw refusal(request, `unexpected operation "${operation}"`);
  const rest = (object: unknown): unknown => {
    const { metadata, status, ...other } = object as PersistentVolumeClaim; // By its resource.
    const { resourceVersion: _, managedFields: __, ...meta } = metadata;
    const fixed = Object.entries(status ?? {}).filter(([field]) => !GROWING.some((each) => each === field));
    return { ...other, metadata: meta, status: Object.fromEntries(fixed) };
  };
  if (jsonEquals(rest(request.oldObject), rest(request.object))) return;
  const why = `node "${node}" is not allowed to update fields other than status.capacity and status.conditions`;
  throw refusal(request, why);
}

const AUDIENCE_VERB = "request-serviceaccounts-token-audience";

async function checkToken(request: NodeRequest): Promise<void> {
  const { operation, subresource, node, core, user, namespace, name } = request;
  if (operation !== "CREATE" || subresource !== "token") return;
  const { spec } = request.object as unknown as TokenRequest; // By its subresource.
  const bound = spec.boundObjectRef;
  if (bound?.apiVersion !== "v1" || bound.kind !== "Pod" || (bound.name ?? "") === "") {
    throw refusal(request, "node requested token not bound to a pod");
  }
  if ((bound.uid ?? "") === "")
    throw refusal(request, "node requested token with a pod binding without a uid");
  const pod = mustFindPod(request, bound.name ?? "");
  if (pod.metadata.uid !== bound.uid) {
    const why = `the UID in the bound object reference (${bound.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw refusal(request, why);
  }
  if (pod.spec.nodeName !== node) {
    throw refusal(request, "node requested token bound to a pod scheduled on a different node");
  }
  const [audience = "", ...others] = spec.audiences ?? [];
  if (others.length > 0) throw refusal(request, "node may only request 0 or 1 audiences");
  if (usesAudience(core, pod, audience)) return;
  const { verdict } = await core.authorizer.authorize({
    user,
    verb: AUDIENCE_VERB,
    isResourceRequest: true,
    group: "",
    version: "v1",
    resource: audience,
    subresource: "",
    namespace,
    name,
    path: "",
  });
  if (verdict === "allow") return;
  const why = `audience ${JSON.stringify(audience)} not found in pod spec volume, ${user.name} is not authorized to request tokens for this audience`;
  throw refusal(request, why);
}

/** Whether some volume of the pod needs tokens for the audience: projected, or of a driver that asks for them. */
function usesAudience(core: ApiServerCore, pod: Pod, audience: string): boolean {
  return (pod.spec.volumes ?? []).some((volume) => {
    const sources = volume.projected?.sources ?? [];
    if (
      sources.some(
        ({ serviceAccountToken: token }) => token !== undefined && (token.audience ?? "") === audience,
      )
    )
      return true;
    const { namespace = "", name = "" } = pod.metadata;
    const claim =
      volume.ephemeral === undefined ? volume.persistentVolumeClaim?.claimName : `${name}-${volume.name}`;
    const driver = claim === undefined ? volume.csi?.driver : driverOf(core, namespace, claim);
    if (driver === undefined) return false;
    const found = findObject<CSIDriver>(core, { group: "storage.k8s.io", resource: "csidrivers" }, driver);
    return (found?.spec.tokenRequests ?? []).some((token) => token.audience === audience);
  });
}

function driverOf(core: ApiServerCore, namespace: string, name: string): string | undefined {
  const claims = { group: "", resource: "persistentvolumeclaims" };
  const volumeName = findObject<PersistentVolumeClaim>(core, claims, name, namespace)?.spec?.volumeName ?? "";
  if (volumeName === "") return undefined;
  const volumes = { group: "", resource: "persistentvolumes" };
  return findObject<PersistentVolume>(core, volumes, volumeName)?.spec?.csi?.driver;
}

const LEASES_NAMESPACE = "kube-node-lease";

function checkLease(request: NodeRequest): void {
  if (request.namespace !== LEASES_NAMESPACE) {
    throw refusal(request, `can only access leases in the "${LEASES_NAMESPACE}" system namespace`);
  }
  if (request.name === request.node) return;
  throw refusal(request, "can only access node lease with the same name as the requesting node");
}

function checkCsiNode(request: NodeRequest): void {
  if (request.name === request.node) return;
  throw refusal(request, "can only access CSINode with the same name as the requesting node");
}

function checkSlice(request: NodeRequest): void {
  const { operation, node } = request;
  if (operation === "UPDATE") return; // Nothing of where a slice belongs can change.
  const object = operation === "CREATE" ? request.object : request.oldObject;
  if ((object as unknown as ResourceSlice).spec.nodeName === node) return;
  const verb = operation === "CREATE" ? "create" : "delete";
  throw refusal(request, `can only ${verb} ResourceSlice with the same NodeName as the requesting node`);
}

const KUBELET_SIGNERS: ReadonlySet<string> = new Set([
  "kubernetes.io/kubelet-serving",
  "kubernetes.io/kube-apiserver-client-kubelet",
]);

function checkCertificate(request: NodeRequest): void {
  if (request.operation !== "CREATE") return;
  const { spec } = request.object as unknown as CertificateSigningRequest; // By its resource.
  if (!KUBELET_SIGNERS.has(spec.signerName)) return;
  const wanted = `${USER_PREFIX}${request.node}`;
  if (commonNameOf(request, spec.request) === wanted) return;
  throw refusal(request, `can only create a node CSR with CN=${wanted}`);
}

function commonNameOf(request: NodeRequest, encoded: string): string {
  try {
    return subjectOf(Buffer.from(encoded ?? "", "base64").toString("latin1")).commonName;
  } catch (error) {
    throw refusal(request, `unable to parse csr: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function mustFindPod({ core, namespace }: NodeRequest, name: string): Pod {
  const pod = findObject<Pod>(core, PODS, name, namespace);
  if (pod === undefined) throw notFound(PODS, name);
  return pod;
}
