/** One way in which a value does not fit its schema. `path` reads like `.spec.ports[port=80]`; empty at the root. */
export interface TypedError {
  readonly path: string;
  readonly message: string;
}

/** Values that do not fit the schema. The message is worded as upstream words it; it reaches API clients. */
export class TypedValueError extends Error {
  override readonly name = "TypedValueError";
  readonly errors: readonly TypedError[];

  constructor(errors: readonly TypedError[]) {
    super(formatTypedErrors(errors));
    this.errors = errors;
  }
}

/** Source: structured-merge-diff v6 typed/helpers.go, ValidationErrors.Error. */
export function formatTypedErrors(errors: readonly TypedError[]): string {
  const messages = errors.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return messages.length === 1
    ? messages[0]!
    : ["errors:", ...messages.map((text) => `  ${text}`)].join("\n");
}
