import { describe, expect, it } from "vitest";
import { negotiate } from "./accept.ts";

const choose = (accept: string | undefined) => negotiate(accept, { isPretty: false, offersStreams: false });

describe("negotiate", () => {
  it.each([
    [undefined, "application/json", "object"],
    ["*/*", "application/json", "object"],
    ["application/yaml", "application/yaml", "object"],
    ["application/xml, application/json;q=0.1", "application/json", "object"],
    ["application/json;as=Table;v=v1;g=meta.k8s.io,application/json", "application/json", "Table"],
    ["application/json;as=Table;v=v9;g=meta.k8s.io,application/json", "application/json", "object"],
    [
      "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
      "application/json",
      "PartialObjectMetadata",
    ],
  ])("answers Accept %s with %s as %s", (accept, mediaType, as) => {
    expect(choose(accept)).toMatchObject({ mediaType, as });
  });

  it.each(["text/html", "application/*", "garbage", "application/json;as=Foo;v=v1;g=meta.k8s.io"])(
    "refuses %s with 406",
    (accept) => {
      expect(() => choose(accept)).toThrow(expect.objectContaining({ code: 406 }));
    },
  );
});
