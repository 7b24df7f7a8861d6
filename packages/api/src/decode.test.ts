import { DecodeError, decodeObject } from "@binnacle/apimachinery";
import { parseJson } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { builtinSchema } from "./schema-registry.ts";

function decode(type: string, text: string) {
  return decodeObject(builtinSchema(type), parseJson(text).value);
}

describe("decodeObject", () => {
  it("fills what is always written and drops what is empty", () => {
    const { value } = decode(
      "core.v1.Pod",
      '{"spec":{"hostname":"","containers":[{"name":"a","env":[]}],"volumes":null}}',
    );
    expect(value).toEqual({ metadata: {}, spec: { containers: [{ name: "a", resources: {} }] }, status: {} });
  });

  it("keeps a pointer to an empty value", () => {
    const { value } = decode(
      "core.v1.PodSpec",
      '{"containers":[],"automountServiceAccountToken":false,"priority":0}',
    );
    expect(value).toEqual({ containers: null, automountServiceAccountToken: false, priority: 0 });
  });

  it("writes fields in the order of the Go struct", () => {
    const { value } = decode(
      "core.v1.ConfigMap",
      '{"data":{"b":"2","a":"1"},"metadata":{},"kind":"ConfigMap","apiVersion":"v1"}',
    );
    expect(JSON.stringify(value)).toBe(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{},"data":{"b":"2","a":"1"}}',
    );
  });

  it("reports unknown fields with their paths, once each", () => {
    const { value, unknown } = decode(
      "apps.v1.Deployment",
      '{"bogus":1,"spec":{"template":{"spec":{"containers":[{"name":"a"},{"name":"b","Image":"x"}]}},"selector":{"matchLabels":{"a":"b"},"foo":{"bar":1}}}}',
    );
    expect(unknown).toEqual([
      'unknown field "bogus"',
      'unknown field "spec.template.spec.containers[1].Image"',
      'unknown field "spec.selector.foo"',
    ]);
    expect(value).not.toHaveProperty("bogus");
  });

  it("reports nothing inside values that read themselves", () => {
    const { value, unknown } = decode(
      "apiextensions.v1.JSONSchemaProps",
      '{"items":{"type":"string","bogus":1},"properties":{"x":{"bogus":2}}}',
    );
    expect(unknown).toEqual(['unknown field "properties.x.bogus"']);
    expect(value).toEqual({ items: { type: "string" }, properties: { x: {} } });
  });

  it.each([
    [
      "apps.v1.Deployment",
      '{"spec":{"replicas":"3"}}',
      "string into Go struct field DeploymentSpec.spec.replicas of type int32",
    ],
    ["core.v1.ConfigMap", '{"data":{"a":1}}', "number into Go struct field ConfigMap.data of type string"],
    [
      "core.v1.ConfigMap",
      '{"data":"x"}',
      "string into Go struct field ConfigMap.data of type map[string]string",
    ],
    [
      "core.v1.ConfigMap",
      '{"metadata":"x"}',
      "string into Go struct field ConfigMap.metadata of type v1.ObjectMeta",
    ],
    [
      "core.v1.ConfigMap",
      '{"metadata":{"labels":{"a":1}}}',
      "number into Go struct field ObjectMeta.metadata.labels of type string",
    ],
    [
      "core.v1.Pod",
      '{"spec":{"containers":"x"}}',
      "string into Go struct field PodSpec.spec.containers of type []v1.Container",
    ],
    [
      "core.v1.Pod",
      '{"spec":{"containers":[{"ports":{}}]}}',
      "object into Go struct field Container.spec.containers.ports of type []v1.ContainerPort",
    ],
    [
      "core.v1.Pod",
      '{"spec":{"priority":1.5}}',
      "number 1.5 into Go struct field PodSpec.spec.priority of type int32",
    ],
    [
      "core.v1.Pod",
      '{"spec":{"priority":1.0}}',
      "number 1.0 into Go struct field PodSpec.spec.priority of type int32",
    ],
    [
      "core.v1.Pod",
      '{"spec":{"priority":3000000000}}',
      "number 3000000000 into Go struct field PodSpec.spec.priority of type int32",
    ],
    [
      "core.v1.Pod",
      '{"spec":{"hostNetwork":"yes"}}',
      "string into Go struct field PodSpec.spec.hostNetwork of type bool",
    ],
    ["core.v1.Service", '{"spec":{"ports":[{"targetPort":{}}]}}', "object into Go value of type int32"],
    ["coordination.v1.Lease", '{"spec":{"renewTime":5}}', "number into Go value of type string"],
  ])("refuses a wrong type in %s: %s", (type, text, message) => {
    expect(() => decode(type, text)).toThrow(new DecodeError(`json: cannot unmarshal ${message}`));
  });

  it("names the first wrong type, and a value that cannot read itself before it", () => {
    expect(() => decode("core.v1.PodSpec", '{"priority":"x","hostname":1}')).toThrow("PodSpec.priority");
    expect(() => decode("core.v1.PodSpec", '{"priority":"x","overhead":{"cpu":"1x"}}')).toThrow(
      "quantities must match",
    );
  });

  it.each([
    ["abc-", 3],
    ["not base64", 3],
    ["YQ", 0],
    ["YWJjZA", 4],
    ["YWJj=", 4],
    ["YQ=b", 2],
    ["YQ==YQ==", 4],
  ])("tells where base64 %s goes wrong", (text, at) => {
    expect(() => decode("core.v1.Secret", JSON.stringify({ data: { a: text } }))).toThrow(
      `illegal base64 data at input byte ${at}`,
    );
  });

  it("gives quantities, times and bytes their canonical form", () => {
    expect(
      decode("core.v1.ResourceQuotaSpec", '{"hard":{"cpu":0.5,"memory":"1024Mi","pods":null}}').value,
    ).toEqual({
      hard: { cpu: "500m", memory: "1Gi", pods: "0" },
    });
    expect(decode("meta.v1.ObjectMeta", '{"creationTimestamp":"2020-01-01T01:00:00.5+01:00"}').value).toEqual(
      {
        creationTimestamp: "2020-01-01T00:00:00Z",
      },
    );
    expect(decode("core.v1.Secret", '{"data":{"a":"YWJj\\nZA==","b":null}}').value).toMatchObject({
      data: { a: "YWJjZA==", b: "" },
    });
  });

  it("keeps integers beyond 2^53", () => {
    expect(decode("meta.v1.ObjectMeta", '{"generation":9007199254740993}').value).toEqual({
      generation: 9007199254740993n,
    });
  });

  it("treats __proto__ as an ordinary key", () => {
    const { value, unknown } = decode("core.v1.ConfigMap", '{"__proto__":{},"data":{"__proto__":"x"}}');
    expect(unknown).toEqual(['unknown field "__proto__"']);
    expect(Object.keys((value as { data: object }).data)).toEqual(["__proto__"]);
  });

  it("changes nothing when it reads what it wrote", () => {
    const text =
      '{"spec":{"template":{"spec":{"containers":[{"name":"a","ports":[{"containerPort":80}]}]}}}}';
    const once = decode("apps.v1.Deployment", text).value;
    expect(decode("apps.v1.Deployment", JSON.stringify(once)).value).toEqual(once);
  });
});
