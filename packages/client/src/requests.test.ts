import { parseLabelSelector, resourceType } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import {
  applyRequest,
  createRequest,
  createSubresourceRequest,
  deleteCollectionRequest,
  deleteRequest,
  getRequest,
  jsonPatch,
  listRequest,
  mergePatch,
  patchRequest,
  resourcePath,
  strategicPatch,
  updateRequest,
  watchRequest,
} from "./requests.ts";

const pods = resourceType({ group: "", version: "v1", kind: "Pod", resource: "pods", namespaced: true });
const nodes = resourceType({ group: "", version: "v1", kind: "Node", resource: "nodes", namespaced: false });
const deployments = resourceType({
  group: "apps",
  version: "v1",
  kind: "Deployment",
  resource: "deployments",
  namespaced: true,
});
const key = { namespace: "shop", name: "web" };

describe("resourcePath", () => {
  it.each([
    [pods, {}, "/api/v1/pods"],
    [pods, { namespace: "shop" }, "/api/v1/namespaces/shop/pods"],
    [pods, { namespace: "shop", name: "web" }, "/api/v1/namespaces/shop/pods/web"],
    [nodes, { namespace: "shop", name: "n1" }, "/api/v1/nodes/n1"],
    [
      deployments,
      { namespace: "shop", name: "web", subresource: "scale" },
      "/apis/apps/v1/namespaces/shop/deployments/web/scale",
    ],
    [nodes, { name: "a/b c" }, "/api/v1/nodes/a%2Fb%20c"],
  ] as const)("of %o in %o is %s", (type, place, path) => {
    expect(resourcePath(type, place)).toBe(path);
  });
});

describe("requests", () => {
  it("reads one object", () => {
    expect(getRequest(pods, key)).toMatchObject({ method: "GET", path: "/api/v1/namespaces/shop/pods/web" });
  });

  it("needs a namespace to name a namespaced object", () => {
    expect(() => getRequest(pods, { name: "web" })).toThrow('a namespace is needed to name pods "web"');
    expect(() => createRequest(pods, { metadata: { name: "web" } })).toThrow(
      'a namespace is needed to create pods "web"',
    );
  });

  it("writes selectors as text and leaves out empty ones", () => {
    const request = listRequest(pods, {
      namespace: "shop",
      labelSelector: parseLabelSelector("tier in (fe,be), app"),
      fieldSelector: "",
      limit: 500,
    });
    expect(request.query).toMatchObject({ labelSelector: "app,tier in (be,fe)", limit: 500 });
    expect(request.query?.["fieldSelector"]).toBeUndefined();
  });

  it("asks for initial events the way servers demand it", () => {
    expect(watchRequest(pods, { sendInitialEvents: true, allowWatchBookmarks: true }).query).toMatchObject({
      watch: true,
      sendInitialEvents: true,
      allowWatchBookmarks: true,
      resourceVersionMatch: "NotOlderThan",
    });
  });

  it("says what the body is without touching the object", () => {
    const object = Object.freeze({ metadata: Object.freeze({ namespace: "shop", name: "web" }) });
    expect(createRequest(deployments, object, { dryRun: true, fieldManager: "me" })).toMatchObject({
      method: "POST",
      path: "/apis/apps/v1/namespaces/shop/deployments",
      query: { dryRun: "All", fieldManager: "me" },
      body: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" } },
    });
    expect(object).toEqual({ metadata: { namespace: "shop", name: "web" } });
  });

  it("updates a subresource", () => {
    const request = updateRequest(deployments, { metadata: key }, { subresource: "status" });
    expect(request).toMatchObject({
      method: "PUT",
      path: "/apis/apps/v1/namespaces/shop/deployments/web/status",
    });
  });

  it.each([
    [jsonPatch([{ op: "remove", path: "/spec" }]), "application/json-patch+json"],
    [mergePatch({ spec: null }), "application/merge-patch+json"],
    [strategicPatch({ spec: {} }), "application/strategic-merge-patch+json"],
  ])("patches with the media type of the patch", (patch, contentType) => {
    expect(patchRequest(pods, key, patch)).toMatchObject({
      method: "PATCH",
      contentType,
      body: patch.body,
    });
  });

  it("applies with manager and force", () => {
    const request = applyRequest(pods, { metadata: key }, { fieldManager: "me", force: true });
    expect(request).toMatchObject({
      method: "PATCH",
      contentType: "application/apply-patch+yaml",
      query: { fieldManager: "me", force: true },
      body: { apiVersion: "v1", kind: "Pod" },
    });
  });

  it("deletes only the object it was given", () => {
    expect(deleteRequest(pods, { metadata: { ...key, uid: "u1" } }).body).toMatchObject({
      preconditions: { uid: "u1" },
    });
    expect(deleteRequest(pods, key, { propagationPolicy: "Foreground", gracePeriodSeconds: 0 }).body).toEqual(
      {
        kind: "DeleteOptions",
        apiVersion: "v1",
        propagationPolicy: "Foreground",
        gracePeriodSeconds: 0,
      },
    );
  });

  it("deletes what a selector selects", () => {
    expect(deleteCollectionRequest(pods, { namespace: "shop", labelSelector: "a=b" })).toMatchObject({
      method: "DELETE",
      path: "/api/v1/namespaces/shop/pods",
      query: { labelSelector: "a=b" },
    });
  });

  it("posts to a subresource", () => {
    const request = createSubresourceRequest(pods, key, "eviction", { kind: "Eviction" });
    expect(request).toMatchObject({ method: "POST", path: "/api/v1/namespaces/shop/pods/web/eviction" });
  });
});
