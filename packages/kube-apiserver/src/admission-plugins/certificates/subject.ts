/** Reads who a request for a certificate is for. Source: RFC 2986 section 4, RFC 5280 section 4.1.2.4, X.690. */

const INTEGER = 0x02;
const OBJECT_IDENTIFIER = 0x06;
const SEQUENCE = 0x30;
const SET = 0x31;
/** The OIDs 2.5.4.3 and 2.5.4.10, as their bytes in hex. */
const COMMON_NAME = "550403";
const ORGANIZATION = "55040a";

/** A user, as certificates name users. */
export interface Subject {
  /** The user's name. */
  readonly commonName: string;
  /** The user's groups. */
  readonly organizations: readonly string[];
}

/** Whom a PEM request is for. Throws an Error for what is no request. */
export function subjectOf(pem: string): Subject {
  const body = /-----BEGIN CERTIFICATE REQUEST-----([^-]*)-----END CERTIFICATE REQUEST-----/.exec(pem)?.[1];
  if (body === undefined) throw new Error("PEM block type must be CERTIFICATE REQUEST");
  const request = new DerReader(Buffer.from(body, "base64")).enter(SEQUENCE);
  const info = request.enter(SEQUENCE);
  info.enter(INTEGER);
  let commonName = "";
  const organizations: string[] = [];
  const subject = info.enter(SEQUENCE);
  while (!subject.isAtEnd) {
    const names = subject.enter(SET);
    while (!names.isAtEnd) {
      const name = names.enter(SEQUENCE);
      const type = name.enter(OBJECT_IDENTIFIER).bytes.toString("hex");
      const value = name.enter(undefined).bytes.toString("utf8");
      if (type === COMMON_NAME) commonName = value;
      else if (type === ORGANIZATION) organizations.push(value);
    }
  }
  return { commonName, organizations };
}

/** Walks over the values of one constructed value. */
class DerReader {
  readonly bytes: Buffer;
  #offset = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.bytes.length;
  }

  /** The contents of the next value, which must have this tag; undefined: any. */
  enter(tag: number | undefined): DerReader {
    const found = this.#byte();
    if (tag !== undefined && found !== tag)
      throw new Error(`asn1: structure error: expected tag ${tag}, got ${found}`);
    const length = this.#length();
    const end = this.#offset + length;
    if (end > this.bytes.length) throw new Error("asn1: syntax error: data truncated");
    const contents = this.bytes.subarray(this.#offset, end);
    this.#offset = end;
    return new DerReader(contents);
  }

  #length(): number {
    const first = this.#byte();
    if (first < 0x80) return first;
    let length = 0;
    // A request is far smaller than three bytes can say.
    const count = first & 0x7f;
    if (count === 0 || count > 3) throw new Error("asn1: structure error: length too large");
    for (let i = 0; i < count; i++) length = length * 256 + this.#byte();
    return length;
  }

  #byte(): number {
    const byte = this.bytes[this.#offset++];
    if (byte === undefined) throw new Error("asn1: syntax error: data truncated");
    return byte;
  }
}
