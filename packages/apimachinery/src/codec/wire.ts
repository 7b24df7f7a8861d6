import { DecodeError } from "./decode.ts";

/** The protobuf wire types that are in use; groups (3, 4) are not. */
export const WIRE_VARINT = 0;
export const WIRE_FIXED64 = 1;
export const WIRE_BYTES = 2;
export const WIRE_FIXED32 = 5;

/** A cursor over protobuf bytes. Every read checks its bounds and throws {@link DecodeError}. */
export class WireReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#at = start;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** Field number and wire type of what comes next. */
  tag(): { number: number; wire: number } {
    const tag = Number(this.varint());
    const number = Math.floor(tag / 8);
    if (number < 1) throw new DecodeError(`proto: illegal tag ${number}`);
    return { number, wire: tag % 8 };
  }

  /** Up to 64 bits, unsigned: a number while it is exact, else a bigint. */
  varint(): number | bigint {
    let value = 0;
    let factor = 1;
    for (let i = 0; i < 7; i++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    let large = BigInt(value);
    for (let shift = 49n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      large |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, large);
    }
    throw new DecodeError("proto: integer overflow");
  }

  /** A signed 64-bit integer: a number while it is exact, else a bigint. */
  int64(): number | bigint {
    const raw = this.varint();
    const signed = typeof raw === "bigint" ? BigInt.asIntN(64, raw) : raw;
    const isSafe = signed >= Number.MIN_SAFE_INTEGER && signed <= Number.MAX_SAFE_INTEGER;
    return isSafe ? Number(signed) : signed;
  }

  int32(): number {
    return Number(BigInt.asIntN(32, BigInt(this.varint())));
  }

  double(): number {
    this.#need(8);
    const value = this.#bytes.readDoubleLE(this.#at);
    this.#at += 8;
    return value;
  }

  bytes(): Buffer {
    const length = Number(this.varint());
    this.#need(length);
    const slice = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return slice;
  }

  /** A reader of the message that comes next. */
  message(): WireReader {
    const slice = this.bytes();
    return new WireReader(slice);
  }

  skip(wire: number): void {
    switch (wire) {
      case WIRE_VARINT:
        this.varint();
        return;
      case WIRE_FIXED64:
        this.#need(8);
        this.#at += 8;
        return;
      case WIRE_BYTES:
        this.bytes();
        return;
      case WIRE_FIXED32:
        this.#need(4);
        this.#at += 4;
        return;
      default:
        throw new DecodeError(`proto: illegal wireType ${wire}`);
    }
  }

  #byte(): number {
    this.#need(1);
    return this.#bytes[this.#at++]!;
  }

  #need(count: number): void {
    if (count > this.#end - this.#at) throw new DecodeError("unexpected EOF");
  }
}

/** Protobuf bytes being written. */
export class WireWriter {
  readonly #parts: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  tag(number: number, wire: number): void {
    this.varint(number * 8 + wire);
  }

  /** A signed integer in 64-bit two's complement. */
  varint(value: number | bigint): void {
    const bytes: number[] = [];
    if (typeof value === "number" && value >= 0) {
      let rest = value;
      while (rest >= 0x80) {
        bytes.push((rest % 128) | 0x80);
        rest = Math.floor(rest / 128);
      }
      bytes.push(rest);
    } else {
      let rest = BigInt.asUintN(64, BigInt(value));
      while (rest >= 0x80n) {
        bytes.push(Number(rest & 0x7fn) | 0x80);
        rest >>= 7n;
      }
      bytes.push(Number(rest));
    }
    this.#push(Buffer.from(bytes));
  }

  double(value: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    this.#push(bytes);
  }

  bytes(value: Buffer): void {
    this.varint(value.length);
    this.#push(value);
  }

  message(value: WireWriter): void {
    this.varint(value.length);
    this.#parts.push(...value.#parts);
    this.#length += value.length;
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts, this.#length);
  }

  #push(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }
}
