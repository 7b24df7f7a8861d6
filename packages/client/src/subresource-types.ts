import type { ObjectMeta } from "@binnacle/apimachinery";

/** autoscaling/v1 Scale: how many replicas are wanted and there are, whatever the kind. */
export interface Scale {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  spec: { replicas?: number };
  status?: { replicas: number; selector?: string };
}

/** What policy/v1 Eviction says beyond the pod's name. */
export interface Eviction {
  readonly deleteOptions?: {
    readonly gracePeriodSeconds?: number;
    readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  };
}

/** authentication.k8s.io/v1 TokenRequest: asked with a spec, answered with a status. */
export interface TokenRequest {
  readonly spec: {
    readonly audiences?: readonly string[];
    readonly expirationSeconds?: number;
    readonly boundObjectRef?: {
      readonly apiVersion: string;
      readonly kind: string;
      readonly name: string;
      readonly uid?: string;
    };
  };
  readonly status?: { readonly token: string; readonly expirationTimestamp: string };
}
