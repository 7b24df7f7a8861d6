import {
  DecodeError,
  decodeObject,
  decodeProtobuf,
  encodeProtobuf,
  encodeProtobufMessage,
  PROTOBUF_MAGIC,
} from "@binnacle/apimachinery";
import type { JsonValue } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { builtinSchema } from "./schema-registry.ts";

const samples: Record<string, JsonValue> = {
  "core.v1.Namespace": { kind: "Namespace", apiVersion: "v1", metadata: { name: "a" }, spec: {}, status: {} },
  "core.v1.ConfigMap": {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name: "a", labels: { a: "", __proto__x: "y" }, creationTimestamp: "2026-01-02T03:04:05Z" },
    data: { a: "1", "": "ü" },
    binaryData: { b: "AAE=", c: "" },
    immutable: false,
  },
  "apps.v1.Deployment": {
    kind: "Deployment",
    apiVersion: "apps/v1",
    metadata: {
      name: "d",
      generation: 9007199254740993n,
      managedFields: [{ manager: "m", operation: "Update", fieldsV1: { "f:spec": {} } }],
    },
    spec: {
      replicas: 0,
      selector: { matchLabels: { a: "b" } },
      strategy: { rollingUpdate: { maxSurge: "25%", maxUnavailable: 1 } },
      template: {
        spec: {
          containers: [
            {
              name: "c",
              resources: { limits: { cpu: "100m", memory: "1Gi" } },
              livenessProbe: { httpGet: { port: "http" }, periodSeconds: 10 },
              securityContext: { runAsUser: -1 },
            },
          ],
          volumes: [
            { name: "v", configMap: { name: "x", items: [{ key: "k", path: "p", mode: 420 }] } },
            { name: "w", emptyDir: {} },
          ],
        },
      },
    },
  },
  "coordination.v1.Lease": {
    kind: "Lease",
    apiVersion: "coordination.k8s.io/v1",
    metadata: {},
    spec: { holderIdentity: "", renewTime: "2026-01-02T03:04:05.000123Z", leaseTransitions: 3 },
  },
  "core.v1.Event": {
    kind: "Event",
    apiVersion: "v1",
    metadata: { name: "e" },
    involvedObject: { kind: "Pod" },
    firstTimestamp: "2026-01-02T03:04:05Z",
  },
  "authorization.v1.SubjectAccessReview": {
    kind: "SubjectAccessReview",
    apiVersion: "authorization.k8s.io/v1",
    metadata: {},
    spec: { user: "u", extra: { a: ["x", "y"], b: [] } },
  },
  "apiextensions.v1.CustomResourceDefinition": {
    kind: "CustomResourceDefinition",
    apiVersion: "apiextensions.k8s.io/v1",
    metadata: { name: "x" },
    spec: {
      group: "g",
      scope: "Namespaced",
      names: { plural: "xs", kind: "X" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              additionalProperties: false,
              "x-kubernetes-preserve-unknown-fields": true,
              maximum: 1.5,
              properties: {
                a: { items: { type: "string" }, default: [{ x: 1 }] },
                b: { items: [{ type: "string" }], additionalProperties: { type: "integer" } },
                c: { dependencies: { x: ["y"], z: { $ref: "#" } }, enum: ["a", 1, true] },
              },
            },
          },
        },
      ],
    },
  },
};

describe("protobuf", () => {
  it.each(Object.entries(samples))("carries a %s unchanged", (type, sample) => {
    const schema = builtinSchema(type);
    const object = decodeObject(schema, sample).value as { kind: string; apiVersion: string };
    const { typeMeta, value } = decodeProtobuf(encodeProtobuf(object, schema), () => schema);
    expect(typeMeta).toEqual({ apiVersion: object.apiVersion, kind: object.kind });
    expect(value).toEqual(object);
  });

  it("reads what a Go client sends for a namespace", () => {
    // kubectl create namespace a: value fields are written even when empty, the time as an empty message.
    const schema = builtinSchema("core.v1.Namespace");
    const metadata = Buffer.from("0a016112001a0022002a00320038004200", "hex");
    const message = Buffer.concat([
      Buffer.from([0x0a, metadata.length]),
      metadata,
      Buffer.from("12001a020a00", "hex"),
    ]);
    const typeMeta = Buffer.from("0a02763112094e616d657370616365", "hex");
    const body = Buffer.concat([
      PROTOBUF_MAGIC,
      Buffer.from([0x0a, typeMeta.length]),
      typeMeta,
      Buffer.from([0x12, message.length]),
      message,
      Buffer.from("1a002200", "hex"),
    ]);
    expect(decodeProtobuf(body, () => schema).value).toEqual({
      kind: "Namespace",
      apiVersion: "v1",
      metadata: { name: "a" },
      spec: {},
      status: {},
    });
  });

  it("skips fields it does not know", () => {
    const schema = builtinSchema("core.v1.LocalObjectReference");
    const name = encodeProtobufMessage({ name: "a" }, schema);
    const unknown = Buffer.from("a00601aa0603616263ad0600000000", "hex");
    const object = decodeProtobuf(envelope(Buffer.concat([unknown, name])), () => schema).value;
    expect(object).toEqual({ name: "a" });
  });

  it("refuses bytes that are no protobuf", () => {
    const schema = builtinSchema("core.v1.Pod");
    expect(() => decodeProtobuf(Buffer.from("{}"), () => schema)).toThrow(DecodeError);
    expect(() => decodeProtobuf(envelope(Buffer.from("0aff", "hex")), () => schema)).toThrow(
      "unexpected EOF",
    );
    expect(() => decodeProtobuf(envelope(Buffer.from("0b", "hex")), () => schema)).toThrow(DecodeError);
    expect(() =>
      decodeProtobuf(envelope(Buffer.from("08ffffffffffffffffffff01", "hex")), () => schema),
    ).toThrow(DecodeError);
  });

  it("never hangs or fails in another way on damaged bytes", () => {
    const schema = builtinSchema("apps.v1.Deployment");
    const good = encodeProtobuf(decodeObject(schema, samples["apps.v1.Deployment"]!).value, schema);
    for (let i = 0; i < good.length; i++) {
      for (const damage of [0x00, 0x7f, 0xff]) {
        const bytes = Buffer.from(good);
        bytes[i] = damage;
        try {
          decodeProtobuf(bytes, () => schema);
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }
    }
  });
});

function envelope(raw: Buffer): Buffer {
  return Buffer.concat([PROTOBUF_MAGIC, Buffer.from([0x12, raw.length]), raw]);
}
