import { readFile } from "node:fs/promises";
import type { Clock } from "@binnacle/base";
import { bearerToken, type CredentialSource, type Credentials } from "../transport/credentials.ts";

/** How long a token that was read is used. Source: kubernetes v1.36 client-go/transport/token_source.go. */
const REREAD_AFTER_MS = 60_000;

/** A bearer token that somebody else keeps fresh in a file. Keeps the old one while the file cannot be read. */
export function tokenFileCredentials(path: string, clock: Clock, others: Credentials = {}): CredentialSource {
  let token: string | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    async current() {
      if (token === undefined || clock.now() - readAt >= REREAD_AFTER_MS) {
        try {
          token = (await readFile(path, "utf8")).trim();
          readAt = clock.now();
        } catch (error) {
          if (token === undefined) throw error;
        }
      }
      return { ...others, ...bearerToken(token) };
    },
    invalidate() {
      const wasCached = readAt !== Number.NEGATIVE_INFINITY;
      readAt = Number.NEGATIVE_INFINITY;
      return wasCached;
    },
  };
}
