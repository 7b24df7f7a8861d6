import type { Field, ObjectSchema, Schema } from "./schema.ts";

/**
 * A value as Go prints its internal struct: field names in Go's spelling, every field present. Some messages show
 * their values so.
 */
export function goForm(schema: Schema, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  switch (schema.type) {
    case "object":
      return isMetaType(schema) ? sortMaps(schema, value) : goStruct(schema, value);
    case "list":
      return Array.isArray(value) && value.length > 0
        ? value.map((item) => goForm(schema.items, item))
        : null;
    case "map": {
      const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
      if (entries.length === 0) return null;
      return Object.fromEntries(entries.map(([key, item]) => [key, goForm(schema.values, item)]));
    }
    default:
      return value;
  }
}

/** The same value with the keys of its maps in order, as Go writes JSON. Messages show their values so. */
export function sortMaps(schema: Schema, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return schema.type === "list" ? value.map((item) => sortMaps(schema.items, item)) : value;
  }
  const entries = Object.entries(value);
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        entries.map(([key, item]) => {
          const field = schema.fields.get(key);
          return [key, field === undefined ? item : sortMaps(field.schema, item)];
        }),
      );
    case "map":
      return Object.fromEntries(
        entries
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, item]) => [key, sortMaps(schema.values, item)]),
      );
    default:
      return value;
  }
}

/** The same as {@link goForm} as indented text, one line per field. */
export function goFormText(schema: Schema, value: unknown): string {
  return JSON.stringify(goForm(schema, value), undefined, 1);
}

/** Types of apimachinery have JSON tags inside the server, too. */
function isMetaType(schema: ObjectSchema): boolean {
  return schema.name?.startsWith("io.k8s.apimachinery.") === true;
}

function goStruct(schema: ObjectSchema, value: object): object {
  const source = value as Readonly<Record<string, unknown>>; // Read by name only.
  const out: Record<string, unknown> = {};
  for (const field of schema.fields.values()) {
    const given = Object.hasOwn(source, field.name) ? source[field.name] : undefined;
    out[goName(field.name)] =
      given === undefined || given === null ? missing(field) : goForm(field.schema, given);
  }
  return out;
}

function missing({ schema, omit }: Field): unknown {
  if (omit === "absent") return null;
  switch (schema.type) {
    case "string":
      return "";
    case "boolean":
      return false;
    case "integer":
    case "number":
    case "intOrString":
      return 0;
    case "quantity":
      return "0";
    case "object":
      return isMetaType(schema) ? {} : goStruct(schema, {});
    default:
      return null;
  }
}

/** Words that Go writes in capitals. */
const INITIALISMS: ReadonlyMap<string, string> = new Map([
  ["api", "API"],
  ["ip", "IP"],
  ["ips", "IPs"],
  ["id", "ID"],
  ["uid", "UID"],
  ["url", "URL"],
  ["uri", "URI"],
  ["tls", "TLS"],
  ["ttl", "TTL"],
  ["csi", "CSI"],
  ["nfs", "NFS"],
  ["fc", "FC"],
  ["rbd", "RBD"],
  ["iscsi", "ISCSI"],
  ["cephfs", "CephFS"],
  ["http", "HTTP"],
  ["tcp", "TCP"],
  ["dns", "DNS"],
  ["os", "OS"],
  ["cidr", "CIDR"],
  ["cidrs", "CIDRs"],
  ["gce", "GCE"],
  ["aws", "AWS"],
  ["grpc", "GRPC"],
  ["cel", "CEL"],
  ["fs", "FS"],
  ["tty", "TTY"],
  ["se", "SE"],
  ["gmsa", "GMSA"],
  ["pd", "PD"],
  ["iqn", "IQN"],
  ["wwids", "WWIDs"],
  ["ssl", "SSL"],
  ["storageos", "StorageOS"],
]);

function goName(name: string): string {
  const [first = ""] = /^[a-z]+/.exec(name) ?? [];
  const head = INITIALISMS.get(first) ?? first.charAt(0).toUpperCase() + first.slice(1);
  return head + name.slice(first.length);
}
