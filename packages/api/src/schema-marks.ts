/**
 * What the generated tables cannot tell of a type, by package (`core.v1`), type and field; the field `.` is the type
 * itself. A mark is a few words apart by blanks:
 *
 * - `map(name)`, `set`: the list type for server-side apply (default atomic); in brackets the keys of an item;
 * - `unstated`: an atomic list that the OpenAPI document does not mark as one;
 * - `atomic`, `granular`: the map type of a map or struct;
 * - `merge(name)`, `merge`, `merge+retainKeys(name)`, `retainKeys`, `replace`: patch strategy and merge key;
 * - `union(discriminator,field,…)`: fields that exclude one another;
 * - `pointer`: Go holds a pointer, so an empty value is kept and a missing one stays missing;
 * - `value`: always written, even when empty (a struct by value, or no `omitempty`);
 * - `null`: a pointer without `omitempty`: missing is written as null;
 * - `omitempty`: left out when empty;
 * - `default(x)`: the string that OpenAPI v3 shows as default (that of an always written scalar is its zero value).
 *
 * Without a word on omission: required fields are always written; optional strings, numbers, booleans, lists and maps
 * are left out when empty; structs, times, quantities and the like are left out when missing; `spec`, `status` and
 * `metadata` of a kind are always written.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/api types.go (struct tags and +listType, +patchStrategy markers).
 */
export type SchemaMarks = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
>;
