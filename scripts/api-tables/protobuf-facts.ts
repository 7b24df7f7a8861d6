import { servedPackages } from "./served-kinds.ts";

/** Message → field → [number, type], fields in the order of the Go struct. */
export type ProtobufFacts = Record<string, Record<string, readonly [number, string]>>;

const REGISTRATION = "k8s.io.kube_aggregator.pkg.apis.apiregistration.v1";
const META_OBJECT = ".k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const META_TIME = ".k8s.io.apimachinery.pkg.apis.meta.v1.Time";

/** The messages of kube-aggregator, which the collected facts leave out. */
const supplement: ProtobufFacts = {
  [`${REGISTRATION}.APIService`]: {
    metadata: [1, META_OBJECT],
    spec: [2, "APIServiceSpec"],
    status: [3, "APIServiceStatus"],
  },
  [`${REGISTRATION}.APIServiceCondition`]: {
    type: [1, "string"],
    status: [2, "string"],
    lastTransitionTime: [3, META_TIME],
    reason: [4, "string"],
    message: [5, "string"],
  },
  [`${REGISTRATION}.APIServiceSpec`]: {
    service: [1, "ServiceReference"],
    group: [2, "string"],
    version: [3, "string"],
    insecureSkipTLSVerify: [4, "bool"],
    caBundle: [5, "bytes"],
    groupPriorityMinimum: [7, "int32"],
    versionPriority: [8, "int32"],
  },
  [`${REGISTRATION}.APIServiceStatus`]: { conditions: [1, "repeated APIServiceCondition"] },
  [`${REGISTRATION}.ServiceReference`]: {
    namespace: [1, "string"],
    name: [2, "string"],
    port: [3, "int32"],
  },
};

/** Keeps the messages that the served kinds reach. */
export function reachableMessages(all: ProtobufFacts): ProtobufFacts {
  const source: ProtobufFacts = { ...all, ...supplement };
  const reached = new Set<string>();
  const visit = (name: string): void => {
    if (reached.has(name)) return;
    const message = source[name];
    if (message === undefined) throw new Error(`no protobuf message ${name}`);
    reached.add(name);
    for (const [, type] of Object.values(message)) {
      const target = messageOf(type, name);
      if (target !== undefined) visit(target);
    }
  };
  for (const { protobuf, kinds, others } of servedPackages) {
    for (const name of [...kinds, ...(others ?? [])]) visit(`${protobuf}.${name}`);
  }
  return Object.fromEntries([...reached].sort().map((name) => [name, source[name]!]));
}

const SCALARS = new Set(["string", "bool", "int32", "int64", "double", "bytes"]);

/** The full name of the message that a field's type is or holds; undefined for scalars. */
export function messageOf(type: string, inMessage: string): string | undefined {
  const bare = type.replace(/^repeated /, "").replace(/^map<string,(.*)>$/, "$1");
  if (SCALARS.has(bare)) return undefined;
  return bare.startsWith(".") ? bare.slice(1) : inMessage.replace(/[^.]+$/, bare);
}
