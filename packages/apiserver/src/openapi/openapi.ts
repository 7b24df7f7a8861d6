import { createHash } from "node:crypto";
import { notAcceptable } from "../negotiation/accept.ts";
import { methodNotAllowed, pageNotFound } from "../pipeline/dispatch.ts";
import type { ApiServerCore, PathHandler } from "../registry/api-server-core.ts";
import type { ServedResource } from "../registry/resource-registry.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { DefinitionCollector, type Descriptions, type Dialect } from "./definitions.ts";
import { encodeOpenApiV2, OPENAPI_V2_PROTOBUF } from "./openapi-v2-protobuf.ts";
import { listSchemaOf, pathsOf } from "./paths.ts";

export interface OpenApiOptions {
  /** The `info.version` of the documents. */
  readonly version: string;
  /** Loaded when the first document is asked for. */
  readonly descriptions?: () => Promise<Descriptions | undefined>;
}

interface Document {
  readonly bytes: Buffer;
  readonly hash: string;
}

/** Writes the OpenAPI documents when somebody asks, and keeps them until a resource comes or goes. */
export class OpenApi {
  readonly #options: OpenApiOptions;
  #generation = -1;
  #v2: Document | undefined;
  #v2Encoded: Document | undefined;
  readonly #v3 = new Map<string, Document>();

  constructor(options: OpenApiOptions) {
    this.#options = options;
  }

  /** Answers `/openapi/v2`, `/openapi/v3` and `/openapi/v3/…`. */
  get handler(): PathHandler {
    return async (core, request) => {
      if (request.method !== "GET") throw methodNotAllowed();
      this.#forgetOld(core);
      const [, kind, ...rest] = request.info.path.split("/").filter((part) => part !== "");
      if (kind === "v2" && rest.length === 0) {
        const accept = request.headers.get("accept") ?? "";
        if (OPENAPI_V2_PROTOBUF.test(accept) && !/json/.test(accept)) return this.#v2Protobuf(core);
        if (/protobuf/.test(accept) && !/json|\*\/\*/.test(accept)) throw notAcceptable();
        this.#v2 ??= await this.#writeV2(core);
        return respond(this.#v2);
      }
      if (kind !== "v3") return pageNotFound();
      if (rest.length === 0) return this.#index(core);
      const document = await this.#groupDocument(core, rest);
      return document === undefined ? pageNotFound() : respond(document);
    };
  }

  async #v2Protobuf(core: ApiServerCore): Promise<ApiResponse> {
    this.#v2 ??= await this.#writeV2(core);
    if (this.#v2Encoded === undefined) {
      const bytes = encodeOpenApiV2(JSON.parse(this.#v2.bytes.toString()));
      this.#v2Encoded = { bytes, hash: hashOf(bytes) };
    }
    return respond(this.#v2Encoded, "application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
  }

  #forgetOld(core: ApiServerCore): void {
    if (core.registry.generation === this.#generation) return;
    this.#generation = core.registry.generation;
    this.#v2 = undefined;
    this.#v2Encoded = undefined;
    this.#v3.clear();
  }

  async #index(core: ApiServerCore): Promise<ApiResponse> {
    const paths: Record<string, unknown> = {};
    for (const path of groupPaths(core)) {
      // The hash only has to change when the document does; the generation tells that without writing it.
      paths[path] = {
        serverRelativeURL: `/openapi/v3/${path}?hash=${hashOf(`${path} ${this.#generation}`)}`,
      };
    }
    const bytes = Buffer.from(JSON.stringify({ paths }));
    return { status: 200, content: { kind: "raw", contentType: "application/json", bytes } };
  }

  async #groupDocument(core: ApiServerCore, path: readonly string[]): Promise<Document | undefined> {
    const key = path.join("/");
    if (!groupPaths(core).includes(key)) return undefined;
    const known = this.#v3.get(key);
    if (known !== undefined) return known;
    const [group, version] = path[0] === "api" ? ["", path[1] ?? ""] : [path[1] ?? "", path[2] ?? ""];
    const served = [...core.registry.all()].filter(
      (each) => each.group === group && each.version === version,
    );
    const { definitions, paths } = await this.#collect(core, served, "v3");
    const document = toDocument({
      openapi: "3.0.0",
      info: { title: "Kubernetes", version: this.#options.version },
      paths,
      components: { schemas: definitions },
    });
    this.#v3.set(key, document);
    return document;
  }

  async #writeV2(core: ApiServerCore): Promise<Document> {
    const { definitions, paths } = await this.#collect(core, [...core.registry.all()], "v2");
    return toDocument({
      swagger: "2.0",
      info: { title: "Kubernetes", version: this.#options.version },
      paths,
      definitions,
    });
  }

  async #collect(
    core: ApiServerCore,
    resources: readonly ServedResource[],
    dialect: Dialect,
  ): Promise<{ definitions: Record<string, unknown>; paths: Record<string, unknown> }> {
    const collector = new DefinitionCollector(dialect, await this.#options.descriptions?.());
    const paths: Record<string, unknown> = {};
    const status = collector.add(core.schemas.status);
    collector.add(core.schemas.deleteOptions);
    for (const served of resources) {
      const object = collector.add(served.schema);
      const list =
        served.definition.virtual === true
          ? object
          : collector.add(listSchemaOf(served, core.schemas.listMeta));
      if (served.definition.scale !== undefined) collector.add(core.schemas.scale);
      Object.assign(paths, pathsOf(served, { object, list, status }, dialect));
    }
    return { definitions: collector.definitions, paths };
  }
}

function groupPaths(core: ApiServerCore): string[] {
  const paths = new Set<string>();
  for (const { group, version } of core.registry.all()) {
    paths.add(group === "" ? `api/${version}` : `apis/${group}/${version}`);
  }
  return [...paths].sort();
}

function toDocument(value: unknown): Document {
  const bytes = Buffer.from(JSON.stringify(value));
  return { bytes, hash: hashOf(bytes) };
}

function hashOf(data: string | Buffer): string {
  return createHash("sha512").update(data).digest("hex").toUpperCase();
}

function respond(document: Document, contentType = "application/json"): ApiResponse {
  return {
    status: 200,
    headers: { etag: `"${document.hash}"` },
    content: { kind: "raw", contentType, bytes: document.bytes },
  };
}
