/** A broken invariant of this program: never caused by a user's input, always worth a report. */
export class BugError extends Error {
  override readonly name = "BugError";
}

/** Closes a switch over a union: the compiler refuses it while a case is missing. */
export function assertNever(value: never): never {
  throw new BugError(`unexpected value ${JSON.stringify(value)}`);
}

/** Narrows away undefined where an invariant of this program says that it cannot be. */
export function mustExist<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new BugError(`${what} is missing`);
  return value;
}
