/** What is left of an object without the fields that the API leaves out when they are zero, false, empty or missing. */
export type OmitZero<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Drops 0, "", false, undefined and empty lists, as the API's encoding does: what is written is what is read back. */
export function omitZero<T extends object>(fields: T): OmitZero<T> {
  const kept: OmitZero<T> = {};
  for (const key of Object.keys(fields) as (keyof T)[]) {
    const value = fields[key];
    if (value === 0 || value === "" || value === false || value === undefined || value === null) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    kept[key] = value as Exclude<T[keyof T], undefined>; // Undefined has been left out above.
  }
  return kept;
}
