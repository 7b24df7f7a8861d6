import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import type { UserInfo } from "@binnacle/apiserver";
import type { Clock, Random } from "@binnacle/base";

/** What a token is bound to besides its account. */
export interface TokenBinding {
  readonly kind: "Pod" | "Secret" | "Node";
  readonly name: string;
  readonly uid: string;
}

export interface TokenRequest {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly binding?: TokenBinding | undefined;
  readonly node?: { readonly name: string; readonly uid: string } | undefined;
}

/** Tells whether what a token names still exists with the uid it was bound to. */
export interface BoundObjects {
  uidOf(
    kind: "ServiceAccount" | "Pod" | "Secret" | "Node",
    namespace: string,
    name: string,
  ): string | undefined;
}

/**
 * Issues and checks the tokens of service accounts: JWTs signed with ES256, bound to their account and, when asked
 * for, to a pod, secret or node. Synchronous, so that a virtual clock stays exact.
 *
 * Source: kubernetes v1.36 pkg/serviceaccount/{claims,jwt}.go.
 */
export class ServiceAccountTokens {
  readonly issuer: string;
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #keyId: string;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #bound: BoundObjects;

  constructor(options: {
    /** PEM of a P-256 key. */
    privateKey: string;
    issuer: string;
    keyId: string;
    clock: Clock;
    random: Random;
    bound: BoundObjects;
  }) {
    this.#key = createPrivateKey(options.privateKey);
    this.#publicKey = createPublicKey(this.#key);
    this.#keyId = options.keyId;
    this.issuer = options.issuer;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#bound = options.bound;
  }

  /** A signed token and when it expires, in seconds since the epoch. */
  issue(request: TokenRequest): { token: string; expiresAt: number } {
    const now = Math.floor(this.#clock.now() / 1_000);
    const expiresAt = now + request.expirationSeconds;
    const { namespace, name, uid, binding, node } = request;
    const kubernetes: Record<string, unknown> = { namespace, serviceaccount: { name, uid } };
    if (binding !== undefined)
      kubernetes[binding.kind.toLowerCase()] = { name: binding.name, uid: binding.uid };
    if (node !== undefined) kubernetes["node"] = node;
    const claims = {
      aud: request.audiences.length === 0 ? [this.issuer] : request.audiences,
      exp: expiresAt,
      iat: now,
      iss: this.issuer,
      jti: this.#random.uuid(),
      "kubernetes.io": kubernetes,
      nbf: now,
      sub: `system:serviceaccount:${namespace}:${name}`,
    };
    const head = encode({ alg: "ES256", kid: this.#keyId, typ: "JWT" });
    const text = `${head}.${encode(claims)}`;
    const signature = sign("sha256", Buffer.from(text), { key: this.#key, dsaEncoding: "ieee-p1363" });
    return { token: `${text}.${signature.toString("base64url")}`, expiresAt };
  }

  /**
   * Whom a token stands for; undefined when it is not ours, forged, expired, meant for somebody else, or bound to
   * something that is gone.
   */
  authenticate(token: string, audiences: readonly string[] = [this.issuer]): UserInfo | undefined {
    const claims = this.#verify(token);
    if (claims === undefined) return undefined;
    const now = this.#clock.now() / 1_000;
    if (claims.iss !== this.issuer || claims.exp <= now || claims.nbf > now + 60) return undefined;
    if (!claims.aud.some((audience) => audiences.includes(audience))) return undefined;
    const { namespace, serviceaccount, pod, secret, node } = claims["kubernetes.io"];
    if (this.#bound.uidOf("ServiceAccount", namespace, serviceaccount.name) !== serviceaccount.uid)
      return undefined;
    if (pod !== undefined && this.#bound.uidOf("Pod", namespace, pod.name) !== pod.uid) return undefined;
    if (secret !== undefined && this.#bound.uidOf("Secret", namespace, secret.name) !== secret.uid)
      return undefined;
    if (node !== undefined && pod === undefined && this.#bound.uidOf("Node", "", node.name) !== node.uid)
      return undefined;
    const extra: Record<string, string[]> = {};
    if (node !== undefined) {
      extra["authentication.kubernetes.io/node-name"] = [node.name];
      extra["authentication.kubernetes.io/node-uid"] = [node.uid];
    }
    if (pod !== undefined) {
      extra["authentication.kubernetes.io/pod-name"] = [pod.name];
      extra["authentication.kubernetes.io/pod-uid"] = [pod.uid];
    }
    return {
      name: claims.sub,
      uid: serviceaccount.uid,
      groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    };
  }

  /** The audiences of a token that this server issued; undefined for any other. */
  audiencesOf(token: string): readonly string[] | undefined {
    return this.#verify(token)?.aud;
  }

  /** Why a token of this server that is meant for the right audience is refused all the same. */
  explain(token: string): string {
    const claims = this.#verify(token);
    if (claims === undefined) return "the token is malformed";
    if (claims.exp <= this.#clock.now() / 1_000) return "service account token has expired";
    const { namespace, serviceaccount, pod, secret } = claims["kubernetes.io"];
    const uid = this.#bound.uidOf("ServiceAccount", namespace, serviceaccount.name);
    if (uid === undefined) return `serviceaccounts ${JSON.stringify(serviceaccount.name)} not found`;
    if (uid !== serviceaccount.uid) {
      return `service account UID (${uid}) does not match claim (${serviceaccount.uid})`;
    }
    if (pod !== undefined && this.#bound.uidOf("Pod", namespace, pod.name) !== pod.uid) return "pod is gone";
    if (secret !== undefined && this.#bound.uidOf("Secret", namespace, secret.name) !== secret.uid)
      return "secret is gone";
    return "the object that the token is bound to is gone";
  }

  /** The public half, for the JWKS document. */
  get publicKey(): KeyObject {
    return this.#publicKey;
  }

  get keyId(): string {
    return this.#keyId;
  }

  #verify(token: string): Claims | undefined {
    const [head, body, signature, ...rest] = token.split(".");
    if (head === undefined || body === undefined || signature === undefined || rest.length > 0)
      return undefined;
    const header = decode(head);
    if (header?.["alg"] !== "ES256") return undefined;
    const isGenuine = verify(
      "sha256",
      Buffer.from(`${head}.${body}`),
      { key: this.#publicKey, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    );
    // What this server signed has this shape.
    return isGenuine ? (decode(body) as unknown as Claims | undefined) : undefined;
  }
}

interface NamedUid {
  readonly name: string;
  readonly uid: string;
}

interface Claims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly nbf: number;
  readonly iss: string;
  readonly jti: string;
  readonly sub: string;
  readonly "kubernetes.io": {
    readonly namespace: string;
    readonly serviceaccount: NamedUid;
    readonly pod?: NamedUid;
    readonly secret?: NamedUid;
    readonly node?: NamedUid;
  };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decode(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // Not a JWT: the token is simply not ours.
  }
}
