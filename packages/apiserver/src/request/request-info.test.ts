import { describe, expect, it } from "vitest";
import { parseRequestInfo } from "./request-info.ts";

const parse = (method: string, url: string) => {
  const [path = "", query = ""] = url.split("?");
  return parseRequestInfo(method, path, new URLSearchParams(query));
};

describe("parseRequestInfo", () => {
  it.each([
    [
      "GET",
      "/api/v1/pods",
      { verb: "list", group: "", version: "v1", resource: "pods", namespace: "", name: "" },
    ],
    ["GET", "/api/v1/namespaces/a/pods", { verb: "list", namespace: "a", resource: "pods" }],
    ["GET", "/api/v1/namespaces/a/pods?watch=1", { verb: "watch", namespace: "a" }],
    ["GET", "/api/v1/watch/namespaces/a/pods/b", { verb: "watch", namespace: "a", name: "b" }],
    ["GET", "/api/v1/namespaces/a", { verb: "get", resource: "namespaces", namespace: "a", name: "a" }],
    [
      "PUT",
      "/api/v1/namespaces/a/finalize",
      { verb: "update", resource: "namespaces", subresource: "finalize", name: "a" },
    ],
    ["DELETE", "/apis/apps/v1/namespaces/a/deployments", { verb: "deletecollection", group: "apps" }],
    [
      "PATCH",
      "/apis/apps/v1/namespaces/a/deployments/b/scale",
      { verb: "patch", name: "b", subresource: "scale" },
    ],
    ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Dx", { verb: "list", name: "x" }],
  ])("reads %s %s", (method, url, expected) => {
    expect(parse(method, url)).toMatchObject({ isResourceRequest: true, ...expected });
  });

  it.each(["/", "/version", "/api", "/apis/apps", "/apis/apps/v1", "/healthz", "/api/v1/%zz"])(
    "takes %s for no resource",
    (path) => {
      expect(parse("GET", path).isResourceRequest).toBe(false);
    },
  );
});
