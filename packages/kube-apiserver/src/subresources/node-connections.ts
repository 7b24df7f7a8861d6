import type { EndpointSlice, Pod, Service } from "@binnacle/api";
import {
  badRequest,
  type FieldError,
  forbiddenField,
  invalid,
  invalidObject,
  NOT_NEGATIVE,
  notFound,
  type StatusError,
  statusError,
} from "@binnacle/apimachinery";
import type { ApiResponse, SubresourceContext, SubresourceHandler } from "@binnacle/apiserver";
import { findObject, listObjects } from "../admission-plugins/lookup.ts";

const CONNECT_VERBS = ["create", "get"];
const PROXY_VERBS = ["create", "delete", "get", "patch", "update"];
const NOT_POSITIVE = "must be greater than 0";

/**
 * The subresources of pods that end at their node. What is asked for is checked as upstream does before it turns to the
 * kubelet; a simulated node has none, and the answer says so.
 *
 * Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go, pod/rest/{log,subresources}.go.
 */
export const podConnections: Readonly<Record<string, SubresourceHandler>> = {
  attach: endsAtKubelet("PodAttachOptions", CONNECT_VERBS, (context) => containerOn(context)),
  exec: endsAtKubelet("PodExecOptions", CONNECT_VERBS, (context) => containerOn(context)),
  log: { verbs: ["get"], kind: shownAs("Pod"), handle: readLog },
  portforward: endsAtKubelet("PodPortForwardOptions", CONNECT_VERBS, (context) => hostOf(podOf(context))),
  proxy: endsAtKubelet("PodProxyOptions", PROXY_VERBS, (context) => hostOf(podOf(context))),
};

/** Source: kubernetes v1.36 pkg/registry/core/service/storage/storage.go, ResourceLocation. */
export const serviceConnections: Readonly<Record<string, SubresourceHandler>> = {
  proxy: endsAtKubelet("ServiceProxyOptions", PROXY_VERBS, nodeOfService),
};

export const nodeConnections: Readonly<Record<string, SubresourceHandler>> = {
  proxy: endsAtKubelet("NodeProxyOptions", PROXY_VERBS, (context) => {
    const name = targetName(context);
    if (findObject(context.core, { group: "", resource: "nodes" }, name) === undefined)
      throw notFound({ group: "", resource: "nodes" }, name);
    return name;
  }),
};

function shownAs(kind: string): SubresourceHandler["kind"] {
  return { group: "", version: "v1", kind };
}

/** A connection to whatever node `findNode` gives, which throws for what cannot be connected to. */
function endsAtKubelet(
  kind: string,
  verbs: readonly string[],
  findNode: (context: SubresourceContext) => string,
): SubresourceHandler {
  return {
    verbs,
    kind: shownAs(kind),
    takesPath: verbs === PROXY_VERBS,
    handle: async (context) => {
      throw noKubelet(findNode(context));
    },
  };
}

async function readLog(context: SubresourceContext): Promise<ApiResponse> {
  const pod = podOf(context);
  const errors = validateLogOptions(context.request.query);
  if (errors.length > 0)
    throw invalidObject({ group: "", kind: "PodLogOptions" }, pod.metadata.name ?? "", errors);
  checkContainer(pod, context.request.query.get("container") ?? "");
  const { nodeName = "" } = pod.spec;
  if (nodeName !== "") throw noKubelet(nodeName);
  // Nothing ran yet: there is nothing to read.
  return { status: 204, content: { kind: "raw", contentType: "text/plain", bytes: new Uint8Array() } };
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodLogOptions. */
function validateLogOptions(query: URLSearchParams): FieldError[] {
  const errors: FieldError[] = [];
  const [tailLines, limitBytes, sinceSeconds] = ["tailLines", "limitBytes", "sinceSeconds"].map((name) =>
    integerIn(query, name),
  );
  if (tailLines !== undefined && tailLines < 0) errors.push(invalid("tailLines", tailLines, NOT_NEGATIVE));
  if (limitBytes !== undefined && limitBytes < 1)
    errors.push(invalid("limitBytes", limitBytes, NOT_POSITIVE));
  if (sinceSeconds !== undefined && query.has("sinceTime")) {
    errors.push(forbiddenField("", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalid("sinceSeconds", sinceSeconds, NOT_POSITIVE));
  }
  return errors;
}

function integerIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!/^[+-]?\d+$/.test(text))
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

function containerOn(context: SubresourceContext): string {
  const pod = podOf(context);
  checkContainer(pod, context.request.query.get("container") ?? "");
  return hostOf(pod);
}

/** Throws 400 when it is not clear which container is meant, or when the pod has no such one. */
function checkContainer(pod: Pod, container: string): void {
  const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec;
  const podName = pod.metadata.name ?? "";
  const names = (list: readonly { name: string }[]): string => list.map(({ name }) => name).join(" ");
  if (container !== "") {
    const all = [...containers, ...initContainers, ...ephemeralContainers];
    if (all.some(({ name }) => name === container)) return;
    throw badRequest(`container ${container} is not valid for pod ${podName}`);
  }
  if (containers.length === 1) return;
  const init =
    initContainers.length === 0 ? "" : ` or one of the init containers: [${names(initContainers)}]`;
  throw badRequest(
    `a container name must be specified for pod ${podName}, choose one of: [${names(containers)}]${init}`,
  );
}

function podOf(context: SubresourceContext): Pod {
  const name = targetName(context);
  const resource = { group: "", resource: "pods" };
  const pod = findObject<Pod>(context.core, resource, name, context.request.info.namespace);
  if (pod === undefined) throw notFound(resource, name);
  return pod;
}

/** Throws 400 for a pod that is nowhere. */
function hostOf({ metadata, spec }: Pod): string {
  const { nodeName = "" } = spec;
  if (nodeName === "") throw badRequest(`pod ${metadata.name} does not have a host assigned`);
  return nodeName;
}

function nodeOfService(context: SubresourceContext): string {
  const { core, request } = context;
  const { namespace, name: target } = request.info;
  const name = targetName(context);
  const resource = { group: "", resource: "services" };
  const service = findObject<Service>(core, resource, name, namespace);
  if (service === undefined) throw notFound(resource, name);
  const wanted = /^(?:[^:]*:)?[^:]+:([^:]*)$/.exec(target)?.[1] ?? "";
  const ports = service.spec?.ports ?? [];
  const isKnown = ports.some(({ name: own = "", port }) => own === wanted || String(port) === wanted);
  if (wanted !== "" && !isKnown)
    throw unavailable(`no service port ${JSON.stringify(wanted)} found for service ${JSON.stringify(name)}`);
  const slices = listObjects<EndpointSlice>(
    core,
    { group: "discovery.k8s.io", resource: "endpointslices" },
    namespace,
  );
  const ready = slices
    .filter(({ metadata }) => metadata.labels?.["kubernetes.io/service-name"] === name)
    .flatMap(({ endpoints }) => endpoints ?? [])
    .find(({ conditions }) => conditions?.ready !== false);
  if (ready === undefined) throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  return ready.nodeName ?? "";
}

/** `[SCHEME:]NAME[:PORT]`: only proxies take more than the name, and names hold no colon. */
function targetName({ request }: SubresourceContext): string {
  const parts = request.info.name.split(":");
  return (parts.length === 3 ? parts[1] : parts[0]) ?? "";
}

function unavailable(message: string): StatusError {
  return statusError(503, "ServiceUnavailable", message);
}

/** What upstream says, status and all, when it cannot reach a kubelet; with the reason why it cannot. */
function noKubelet(nodeName: string): StatusError {
  return statusError(
    500,
    "",
    `error dialing backend: node ${JSON.stringify(nodeName)} is simulated: it runs no containers and has no kubelet to ask`,
  );
}
