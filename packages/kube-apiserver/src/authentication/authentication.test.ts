import { generateKeyPairSync } from "node:crypto";
import { createSeededRandom, VirtualClock } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { ServiceAccountTokens } from "./service-account-tokens.ts";
import { parseTokenFile, TokenTable } from "./token-file.ts";

describe("token files", () => {
  it("reads quoted groups, blank lines and comments", () => {
    expect(parseTokenFile('t1,alice,u1,"devs,ops"\n\n# nobody\nt2,bob,u2\n')).toEqual([
      { token: "t1", user: { name: "alice", uid: "u1", groups: ["devs", "ops"] } },
      { token: "t2", user: { name: "bob", uid: "u2", groups: [] } },
    ]);
  });

  it("names the line that cannot be read", () => {
    expect(() => parseTokenFile("t1,alice,u1\njust-a-token\n")).toThrow("line 2");
  });

  it("finds a user by the whole token only", () => {
    const table = new TokenTable();
    table.add("secret", { name: "alice", groups: [] });
    expect([table.find("secret")?.name, table.find("secre"), table.find("")]).toEqual([
      "alice",
      undefined,
      undefined,
    ]);
  });
});

describe("ServiceAccountTokens", () => {
  const setUp = () => {
    const clock = new VirtualClock();
    const uids = new Map([["ServiceAccount/a/sa", "uid-1"]]);
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const tokens = new ServiceAccountTokens({
      privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      issuer: "https://issuer",
      keyId: "k",
      clock,
      random: createSeededRandom(1),
      bound: { uidOf: (kind, namespace, name) => uids.get(`${kind}/${namespace}/${name}`) },
    });
    const request = { namespace: "a", name: "sa", uid: "uid-1", audiences: [], expirationSeconds: 600 };
    return { clock, uids, tokens, request };
  };

  it("recognizes its own tokens until they expire", async () => {
    const { clock, tokens, request } = setUp();
    const { token } = tokens.issue(request);
    expect(tokens.authenticate(token)).toMatchObject({ name: "system:serviceaccount:a:sa", uid: "uid-1" });
    await clock.advance(601_000);
    expect(tokens.authenticate(token)).toBeUndefined();
  });

  it("refuses forged tokens, other audiences and accounts that are gone", () => {
    const { uids, tokens, request } = setUp();
    const { token } = tokens.issue(request);
    const [head, , signature] = token.split(".");
    const forged = `${head}.${Buffer.from('{"sub":"system:admin"}').toString("base64url")}.${signature}`;
    expect(tokens.authenticate(forged)).toBeUndefined();
    expect(tokens.authenticate(tokens.issue({ ...request, audiences: ["x"] }).token)).toBeUndefined();
    uids.clear();
    expect(tokens.authenticate(token)).toBeUndefined();
  });
});
