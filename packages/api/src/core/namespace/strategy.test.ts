import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { Namespace } from "../../generated/core-v1.generated.ts";
import {
  prepareNamespaceForCreate,
  prepareNamespaceForUpdate,
  setNamespaceDefaults,
  validateNamespaceFinalizers,
  validateNamespaceStatus,
} from "./strategy.ts";

describe("a namespace", () => {
  it("carries its name as a label, whatever the client says", () => {
    const namespace: Namespace = {
      metadata: { name: "a", labels: { "kubernetes.io/metadata.name": "other" } },
    };
    setNamespaceDefaults(namespace);
    expect(namespace.metadata.labels).toEqual({ "kubernetes.io/metadata.name": "a" });
    expect(namespace.status).toEqual({ phase: "Active" });
  });

  it("starts active, with the finalizer that empties it", () => {
    const namespace: Namespace = {
      metadata: { name: "a" },
      spec: { finalizers: ["x.io/a"] },
      status: { phase: "Terminating" },
    };
    prepareNamespaceForCreate(namespace, { nowMs: 0 });
    expect(namespace.spec?.finalizers).toEqual(["x.io/a", "kubernetes"]);
    expect(namespace.status).toEqual({ phase: "Active" });
  });

  it("keeps its finalizers on update", () => {
    const old: Namespace = {
      metadata: {},
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    };
    const updated: Namespace = { metadata: {}, spec: { finalizers: [] }, status: {} };
    prepareNamespaceForUpdate(updated, old);
    expect(updated).toEqual(old);
  });

  it("refuses a phase that contradicts its deletion", () => {
    const deleted = { name: "a", deletionTimestamp: "2026-01-01T00:00:00Z" };
    expect(
      formatFieldErrors(validateNamespaceStatus({ metadata: deleted, status: { phase: "Active" } })),
    ).toBe(
      "status.Phase: Invalid value: \"Active\": may only be 'Terminating' if `deletionTimestamp` is not empty",
    );
    expect(validateNamespaceStatus({ metadata: { name: "a" }, status: { phase: "Active" } })).toEqual([]);
  });

  it("refuses finalizers without a domain", () => {
    expect(
      validateNamespaceFinalizers({ metadata: {}, spec: { finalizers: ["bad finalizer"] } }),
    ).toHaveLength(2);
  });
});
