/** An argument that makes no sense; the message is one clear sentence. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
