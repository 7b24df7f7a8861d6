/** What every object carries. Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  /** The revision of the store that this version of the object was written at. Opaque to clients. */
  resourceVersion?: string;
  generation?: number;
  /** RFC 3339 in UTC, whole seconds. */
  creationTimestamp?: string;
  /** Set by the server on a graceful deletion: when the object is due to disappear. */
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Which fields of an object a manager owns. */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: "Apply" | "Update";
  apiVersion?: string;
  time?: string;
  fieldsType?: "FieldsV1";
  fieldsV1?: FieldsV1;
  subresource?: string;
}

/** A trie of field names (`f:name`), list keys (`k:{…}`), values (`v:…`) and `.` for the node itself. */
export type FieldsV1 = { [element: string]: FieldsV1 };

export interface ListMeta {
  selfLink?: string;
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
}

/** Any API object. Typed kinds narrow it. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
}

/** An object whose fields beyond the metadata are not known at compile time. */
export interface UnstructuredObject extends KubeObject {
  [field: string]: unknown;
}

export interface KubeList<T extends KubeObject = KubeObject> {
  apiVersion?: string;
  kind?: string;
  metadata: ListMeta;
  items: T[];
}

export interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  observedGeneration?: number;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
