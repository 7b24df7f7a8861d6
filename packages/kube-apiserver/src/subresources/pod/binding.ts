import { type Binding, builtinSchema, type Pod } from "@binnacle/api";
import {
  badRequest,
  conflict,
  type FieldError,
  formatFieldErrors,
  notSupported,
  required,
  statusError,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import {
  type ApiResponse,
  type ApiServerCore,
  decodeBody,
  objectOf,
  parseWriteOptions,
  type RequestContext,
  respondWithValue,
  type ServedResource,
  updateStored,
} from "@binnacle/apiserver";
import { cloneJson } from "@binnacle/base";

/** POST of a Binding: assigns a pod to a node, once. Also what the old `bindings` resource does. */
export async function bindPod(
  core: ApiServerCore,
  request: RequestContext,
  pods: ServedResource,
): Promise<ApiResponse> {
  const options = parseWriteOptions(request, "CreateOptions");
  const schema = builtinSchema("core.v1.Binding");
  const binding = (await decodeBody(
    core,
    request,
    { group: "", version: "v1", kind: "Binding", schema, hubGroup: "" },
    options,
  )) as unknown as Binding;
  const { target } = binding;
  const name = request.info.name !== "" ? request.info.name : (binding.metadata.name ?? "");
  validateBinding(binding, name);
  const scoped: RequestContext = {
    ...pick(request),
    info: { ...request.info, name, resource: "pods" },
  };
  return updateStored(core, scoped, pods, {
    subresource: "binding",
    options,
    representation: { mediaType: "application/json", as: "object", version: "", isPretty: false },
    tries: 5,
    candidate(old) {
      const current = objectOf(old) as unknown as Pod;
      checkBindable(current, binding, name);
      const pod = cloneJson(current) as unknown as Pod & UnstructuredObject;
      pod.spec.nodeName = target.name ?? "";
      const annotations = binding.metadata.annotations ?? {};
      if (Object.keys(annotations).length > 0) {
        pod.metadata.annotations = { ...pod.metadata.annotations, ...annotations };
      }
      const labels = binding.metadata.labels ?? {};
      if (Object.keys(labels).length > 0) pod.metadata.labels = { ...pod.metadata.labels, ...labels };
      setScheduled(core, pod);
      return pod; // Upstream records no owner here.
    },
    respond: () =>
      respondWithValue(core, request, 201, {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Success",
        code: 201,
      }),
  });
}

/** The request as a plain record: its getters do not survive a spread. */
function pick(request: RequestContext): RequestContext {
  const { method, query, headers, body, signal, user, warnings, answerHeaders, info } = request;
  return { method, query, headers, body, signal, user, warnings, answerHeaders, info };
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodBinding. */
function validateBinding(binding: Binding, name: string): void {
  if (binding.metadata.name !== name) throw badRequest("name in URL does not match name in Binding object");
  const errors: FieldError[] = [];
  const { kind = "", name: node = "" } = binding.target ?? {};
  if (kind !== "" && kind !== "Node") errors.push(notSupported("target.kind", kind, ["Node", "<empty>"]));
  if (node === "") errors.push(required("target.name"));
  if (errors.length === 0) return;
  throw statusError(500, "", formatFieldErrors(errors)); // Upstream lets the bare errors through.
}

/** Source: pkg/registry/core/pod/storage/storage.go, setPodNodeAndMetadata. */
function checkBindable(pod: Pod, binding: Binding, name: string): void {
  const resource = { group: "", resource: "pods/binding" };
  const refuse = (why: string): Error => conflict(resource, name, why);
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if ((pod.spec.nodeName ?? "") !== "") {
    throw refuse(`pod ${name} is already assigned to node ${JSON.stringify(pod.spec.nodeName)}`);
  }
  const uid = binding.metadata.uid ?? "";
  if (uid !== "" && uid !== pod.metadata.uid) {
    throw conflict(
      resource,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.metadata.uid}`,
    );
  }
  if ((pod.spec.schedulingGates ?? []).length > 0) {
    throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  }
}

function setScheduled(core: ApiServerCore, pod: Pod): void {
  const conditions = [...(pod.status?.conditions ?? [])];
  const lastTransitionTime = `${new Date(core.clock.now()).toISOString().slice(0, 19)}Z`;
  const at = conditions.findIndex((condition) => condition.type === "PodScheduled");
  const scheduled = { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime };
  if (at < 0) conditions.push(scheduled as never);
  else if (conditions[at]!.status !== "True") conditions[at] = scheduled as never;
  pod.status = { ...pod.status, conditions };
}
