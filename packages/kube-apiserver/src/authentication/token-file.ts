import { createHash, timingSafeEqual } from "node:crypto";
import type { UserInfo } from "@binnacle/apiserver";

/** Static tokens and whom they stand for. Looked up in time that does not depend on the token. */
export class TokenTable {
  readonly #entries: { digest: Buffer; user: UserInfo }[] = [];

  add(token: string, user: UserInfo): void {
    this.#entries.push({ digest: digestOf(token), user });
  }

  find(token: string): UserInfo | undefined {
    const digest = digestOf(token);
    let found: UserInfo | undefined;
    for (const entry of this.#entries) if (timingSafeEqual(entry.digest, digest)) found = entry.user;
    return found;
  }
}

/**
 * Reads the format of `--token-auth-file`: one `token,user,uid[,"group,group"]` per line. Throws an Error that names
 * the line when one cannot be read.
 *
 * Source: kubernetes v1.36 apiserver/pkg/authentication/token/tokenfile/tokenfile.go.
 */
export function parseTokenFile(text: string): { token: string; user: UserInfo }[] {
  const entries: { token: string; user: UserInfo }[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [token = "", name = "", uid = "", groups = ""] = splitCsv(line);
    if (token === "" || name === "") {
      throw new Error(
        `line ${index + 1} must hold at least a token, a user name and a uid, separated by commas`,
      );
    }
    const user = { name, uid, groups: groups.split(",").filter((group) => group !== "") };
    entries.push({ token, user });
  }
  return entries;
}

function splitCsv(line: string): string[] {
  const fields: string[] = [];
  for (const match of line.matchAll(/(?:^|,)\s*(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    fields.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? "").trim());
  }
  return fields;
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
