import {
  badRequest,
  DecodeError,
  decodeObject,
  decodeProtobuf,
  type ObjectSchema,
  parseYaml,
} from "@binnacle/apimachinery";
import { JsonSyntaxError, type JsonValue, parseJson } from "@binnacle/base";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import type { RequestContext } from "../request/request-context.ts";
import { isTrue } from "../request/request-info.ts";
import { MAX_NESTING } from "../write-path/decode.ts";
import { type DeleteOptions, validateDeleteOptions } from "./delete.ts";
import { parseInteger } from "./list-options.ts";

/** Options of a deletion: the body where there is one, the query otherwise. Throws 400 and 422. */
export async function readDeleteOptions(
  core: ApiServerCore,
  request: RequestContext,
): Promise<DeleteOptions> {
  const body = await readBody(core, request);
  const raw = body ?? fromQuery(request.query);
  const dryRun = [...raw.dryRun, ...request.query.getAll("dryRun").filter((value) => value !== "")];
  validateDeleteOptions({ ...raw, dryRun });
  return {
    gracePeriodSeconds: raw.gracePeriodSeconds,
    uid: raw.uid,
    resourceVersion: raw.resourceVersion,
    propagationPolicy: raw.propagationPolicy as DeleteOptions["propagationPolicy"], // Checked one line up.
    orphanDependents: raw.orphanDependents,
    isDryRun: dryRun.length > 0,
  };
}

interface RawOptions {
  readonly gracePeriodSeconds: number | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly propagationPolicy: string;
  readonly orphanDependents: boolean | undefined;
  readonly dryRun: readonly string[];
}

function fromQuery(query: URLSearchParams): RawOptions {
  const orphan = query.get("orphanDependents");
  return {
    gracePeriodSeconds: parseInteger(query.get("gracePeriodSeconds")),
    uid: undefined,
    resourceVersion: undefined,
    propagationPolicy: query.get("propagationPolicy") ?? "",
    orphanDependents: orphan === null ? undefined : isTrue(orphan),
    dryRun: [],
  };
}

async function readBody(core: ApiServerCore, request: RequestContext): Promise<RawOptions | undefined> {
  const { body } = request;
  if (body.kind === "none") return undefined;
  let value: unknown;
  try {
    if (body.kind === "value") value = body.value;
    else {
      const bytes = await body.read();
      if (bytes.length === 0) return undefined;
      value = parseOptions(core.schemas.deleteOptions, request, bytes);
    }
    const options = decodeObject(core.schemas.deleteOptions, (value ?? {}) as JsonValue)
      .value as unknown as DecodedOptions;
    return {
      gracePeriodSeconds: options.gracePeriodSeconds,
      uid: options.preconditions?.uid,
      resourceVersion: options.preconditions?.resourceVersion,
      propagationPolicy: options.propagationPolicy ?? "",
      orphanDependents: options.orphanDependents,
      dryRun: options.dryRun ?? [],
    };
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof DecodeError) throw badRequest(error.message);
    throw error;
  }
}

function parseOptions(schema: ObjectSchema, request: RequestContext, bytes: Buffer): unknown {
  const type = request.headers.get("content-type") ?? "";
  if (type.startsWith("application/vnd.kubernetes.protobuf"))
    return decodeProtobuf(bytes, () => schema).value;
  if (type.startsWith("application/yaml")) return parseYaml(bytes.toString("utf8")).value;
  return parseJson(bytes.toString("utf8"), { maxDepth: MAX_NESTING }).value;
}

interface DecodedOptions {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly dryRun?: readonly string[];
}
