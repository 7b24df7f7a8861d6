import type { Node, NodeCondition } from "@binnacle/api";
import { msToTime } from "@binnacle/apimachinery";

/** Marks the nodes that this program simulates. */
export const SIMULATED_ANNOTATION = "binnacle.dev/simulated-node";

/** A node to simulate. */
export interface SimulatedNode {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Quantities by resource name, over the defaults: 8 CPUs, 16Gi of memory, 100Gi of storage, 110 pods. */
  readonly capacity?: Readonly<Record<string, string>>;
}

const DEFAULT_CAPACITY: Readonly<Record<string, string>> = {
  cpu: "8",
  memory: "16Gi",
  "ephemeral-storage": "100Gi",
  "hugepages-1Gi": "0",
  "hugepages-2Mi": "0",
  pods: "110",
};

/** The object of a new node. `index` counts from 1 and gives the node its addresses. */
export function nodeObject(node: SimulatedNode, index: number): Node {
  const cidr = podCidr(index);
  return {
    metadata: {
      name: node.name,
      labels: {
        "beta.kubernetes.io/arch": "amd64",
        "beta.kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": node.name,
        "kubernetes.io/os": "linux",
        ...node.labels,
      },
      annotations: {
        [SIMULATED_ANNOTATION]: "true",
        ...(node.capacity === undefined ? {} : { [CAPACITY_ANNOTATION]: JSON.stringify(node.capacity) }),
      },
    },
    spec: { podCIDR: cidr, podCIDRs: [cidr] },
  };
}

/** Keeps a node's own capacity beside it, for the status that is written later. */
const CAPACITY_ANNOTATION = "binnacle.dev/simulated-capacity";

/** The range of pod addresses of the n-th node, counted from 1: 65,536 nodes fit into 10.0.0.0/8 beside services. */
export function podCidr(index: number): string {
  const high = 128 + Math.floor(index / 256);
  return index < 256 ? `10.244.${index}.0/24` : `10.${high}.${index % 256}.0/24`;
}

/** The address of a node, out of the same numbers as its range. */
export function nodeAddress(cidr: string): string {
  const [, second = "0", third = "0"] = cidr.split(".");
  return second === "244" ? `172.18.0.${third}` : `172.19.${Number(second) - 128}.${third}`;
}

/** Whether this program simulates the node. */
export function isSimulated(node: Node): boolean {
  return node.metadata.annotations?.[SIMULATED_ANNOTATION] === "true";
}

/** Source: kubernetes v1.36 pkg/kubelet/nodestatus/setters.go: what a healthy kubelet says of its node. */
const CONDITIONS: readonly (readonly [type: string, status: string, reason: string, message: string])[] = [
  ["MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
  ["DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
  ["PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
  ["Ready", "True", "KubeletReady", "kubelet is posting ready status"],
];

/** The status of a healthy simulated node. Times of conditions that do not change are kept. */
export function nodeStatus(node: Node, nowMs: number, version: string): NonNullable<Node["status"]> {
  const now = msToTime(nowMs);
  const capacity = { ...DEFAULT_CAPACITY, ...ownCapacity(node), ...extendedResources(node) };
  const conditions: NodeCondition[] = CONDITIONS.map(([type, status, reason, message]) => {
    const before = node.status?.conditions?.find((each) => each.type === type);
    const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? now) : now;
    return { type, status, lastHeartbeatTime: now, lastTransitionTime, reason, message };
  });
  const others = (node.status?.conditions ?? []).filter(
    ({ type }) => !CONDITIONS.some(([own]) => own === type),
  );
  return {
    ...node.status,
    capacity,
    allocatable: capacity,
    conditions: [...conditions, ...others],
    addresses: [
      { type: "InternalIP", address: nodeAddress(node.spec?.podCIDR ?? podCidr(1)) },
      { type: "Hostname", address: node.metadata.name ?? "" },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      machineID: (node.metadata.uid ?? "").replaceAll("-", ""),
      systemUUID: node.metadata.uid ?? "",
      bootID: node.metadata.uid ?? "",
      kernelVersion: "simulated",
      osImage: "Binnacle (simulated)",
      containerRuntimeVersion: "simulated://1.0",
      kubeletVersion: version,
      kubeProxyVersion: "",
      operatingSystem: "linux",
      architecture: "amd64",
    },
  };
}

function ownCapacity(node: Node): Record<string, string> {
  const text = node.metadata.annotations?.[CAPACITY_ANNOTATION];
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, string>) : {};
  } catch {
    return {}; // Somebody edited the annotation: the defaults are a fair answer.
  }
}

/** What somebody added to the capacity by hand, such as a GPU, stays: a kubelet does the same with extended resources. */
function extendedResources(node: Node): Record<string, string> {
  const capacity = node.status?.capacity ?? {};
  return Object.fromEntries(Object.entries(capacity).filter(([name]) => name.includes("/")));
}
