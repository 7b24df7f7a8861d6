import type { FieldError } from "../errors/field-error.ts";
import type { KubeObject, UnstructuredObject } from "../meta/object-meta.ts";
import type { ObjectSchema } from "../schema/schema.ts";
import type { Column } from "./column.ts";
import type { ResourceType } from "./resource-type.ts";

/**
 * Everything the API server knows about one resource, built in or custom. The request pipeline accepts nothing else.
 *
 * Objects are stored in the version named here (the hub); `otherVersions` are converted on the way in and out.
 */
export interface ResourceDefinition<T extends KubeObject = KubeObject> extends ResourceType<T> {
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly schema: ObjectSchema;
  /** Fills what the user left out. Mutates; idempotent. Runs after decoding and after every patch. */
  readonly defaults?: (object: T) => void;
  readonly strategy: Strategy<T>;
  /** What `kubectl get` prints; undefined: name and age. */
  readonly columns?: readonly Column<T>[];
  /** Conditions of the object's row in a table, such as `Completed`. Default none. */
  readonly rowConditions?: (object: T) => readonly RowCondition[];
  /** Values for field selectors beyond metadata.name and metadata.namespace, by selector name. */
  readonly selectableFields?: (object: T) => Readonly<Record<string, string>>;
  /** The names {@link selectableFields} yields. */
  readonly selectableFieldNames?: readonly string[];
  /** Served verbs; default all of {@link ALL_VERBS}. */
  readonly verbs?: readonly ResourceVerb[];
  /** The status subresource; undefined: none. */
  readonly status?: StatusStrategy<T>;
  /** The scale subresource; undefined: none. */
  readonly scale?: ScaleMapping;
  readonly otherVersions?: readonly ServedVersion<T>[];
  /** The warning that every request for this resource gets, such as `v1 Endpoints is deprecated in v1.33+`. */
  readonly deprecation?: string;
  /** Set for kinds that are answered but never stored, such as TokenReview: only `create`. */
  readonly virtual?: boolean;
}

/** Source: kubernetes v1.36 apimachinery/pkg/apis/meta/v1/types.go, TableRowCondition. */
export interface RowCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
}

export type ResourceVerb =
  | "create"
  | "delete"
  | "deletecollection"
  | "get"
  | "list"
  | "patch"
  | "update"
  | "watch";

export const ALL_VERBS: readonly ResourceVerb[] = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];

/** Another group or version that the same stored objects are served in. */
export interface ServedVersion<T extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly schema: ObjectSchema;
  /** Defaults of this version, on the object in this version's form. Default: the hub's after conversion. */
  readonly defaults?: (object: UnstructuredObject) => void;
  /** To the hub's form. Gives a new object; apiVersion and kind are set by the caller. */
  readonly toHub: (object: UnstructuredObject) => T;
  /** From the hub's form. Gives a new object; apiVersion and kind are set by the caller. */
  readonly fromHub: (object: T) => UnstructuredObject;
  readonly columns?: readonly Column<T>[];
  readonly deprecation?: string;
  /** Further errors of objects created through this version, in the hub's form. */
  readonly validate?: (object: T) => FieldError[];
  /** Further errors of updates through this version, in the hub's form. */
  readonly validateUpdate?: (updated: T, old: T) => FieldError[];
}

/** What a strategy may know of the request. */
export interface StrategyContext {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Who sends the request; undefined where the server writes for itself. */
  readonly user?: RequestUser;
}

/** An authenticated identity, as far as strategies look at it. */
export interface RequestUser {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The rules of a kind for writes. Functions mutate `object` or `updated` (always a private copy) and never `old`.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/rest/{create,update,delete}.go.
 */
export interface Strategy<T extends KubeObject = KubeObject> {
  /** PUT to a name that does not exist creates it. Default false. */
  readonly allowCreateOnUpdate?: boolean;
  /** PUT without resourceVersion overwrites. Default true. */
  readonly allowUnconditionalUpdate?: boolean;
  /** Resets what a client may not set (status, above all). Generation is set by the caller when `hasGeneration`. */
  readonly prepareForCreate?: (object: T, context: StrategyContext) => void;
  readonly prepareForUpdate?: (updated: T, old: T, context: StrategyContext) => void;
  /** metadata.generation counts changes of the spec (of everything but metadata and status). Default false. */
  readonly hasGeneration?: boolean;
  /** How metadata.name is checked. Default `dnsSubdomain`. */
  readonly nameFormat?: NameFormat;
  /** Every error of the kind's own fields; metadata is checked by the caller. */
  readonly validate?: (object: T) => FieldError[];
  /** Every error of an update; metadata is checked by the caller. Default: `validate(updated)`. */
  readonly validateUpdate?: (updated: T, old: T) => FieldError[];
  /**
   * An update checks the metadata as a create does once more after the checks of its change: errors of labels and such
   * have that many more causes. Default false.
   */
  readonly repeatsMetadataChecks?: boolean;
  readonly warningsOnCreate?: (object: T) => string[];
  readonly warningsOnUpdate?: (updated: T, old: T) => string[];
  /** Warnings on a DELETE; `propagation` is what the client asked for, undefined when it did not say. */
  readonly warningsOnDelete?: (propagation: string | undefined) => string[];
  /** Canonical form after validation (sorting, dropping duplicates). */
  readonly canonicalize?: (object: T) => void;
  /** DELETE answers the deleted object instead of a Status. Default false. */
  readonly returnsDeletedObject?: boolean;
  /**
   * The grace period in seconds a DELETE gets: 0 removes at once. `requested` is DeleteOptions.gracePeriodSeconds.
   * Undefined function: the kind knows no grace period.
   */
  readonly gracePeriodSeconds?: (object: T, requested: number | undefined) => number;
  /** What a DELETE without propagationPolicy does to dependents. Default `background`. */
  readonly defaultPropagation?: "orphan" | "background";
  /** Field paths (as in fieldsV1) that a writer of the main resource never owns, by version. Default: status. */
  readonly resetFields?: readonly (readonly string[])[];
}

export type NameFormat = "dnsSubdomain" | "dnsLabel" | "dnsLabel1035" | "path" | ((name: string) => string[]);

/** The rules of PUT and PATCH on `/status`. Everything but status (and some metadata) is reset by the caller. */
export interface StatusStrategy<T extends KubeObject = KubeObject> {
  readonly prepareForUpdate?: (updated: T, old: T, context: StrategyContext) => void;
  readonly validateUpdate?: (updated: T, old: T) => FieldError[];
  readonly warningsOnUpdate?: (updated: T, old: T) => string[];
}

/** Where the numbers of autoscaling/v1 Scale are in the object: paths without leading dot, such as `spec.replicas`. */
export interface ScaleMapping {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  /** A path to a label selector, as string or as object. */
  readonly labelSelectorPath?: string;
}
