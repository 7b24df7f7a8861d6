/** Addresses and address ranges, as Go's net/netip reads and prints them. */

import { type FieldError, invalid } from "../errors/field-error.ts";

export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

export interface Cidr {
  readonly address: IpAddress;
  readonly prefixLength: number;
}

/** Undefined for what is no address; leading zeros in IPv4 are refused. An IPv4-mapped IPv6 address stays IPv6. */
export function parseIp(text: string): IpAddress | undefined {
  if (text.includes(":")) return parseIpv6(text);
  const value = parseIpv4(text);
  return value === undefined ? undefined : { family: 4, value };
}

/** Undefined for what is no `address/length`. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf("/");
  if (slash < 0) return undefined;
  const address = parseIp(text.slice(0, slash));
  const length = text.slice(slash + 1);
  if (address === undefined || !/^(0|[1-9]\d{0,2})$/.test(length)) return undefined;
  const prefixLength = Number(length);
  return prefixLength > (address.family === 4 ? 32 : 128) ? undefined : { address, prefixLength };
}

/** The canonical text: dotted IPv4; IPv6 in lower case with the longest run of zeros as `::`. */
export function formatIp({ family, value }: IpAddress): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
  const groups = Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(112 - 16 * i)) & 0xffffn));
  if (value >> 32n === 0xffffn) {
    return `::ffff:${formatIp({ family: 4, value: value & 0xffff_ffffn })}`;
  }
  let start = -1;
  let longest = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === 0) end++;
    if (end - i > longest) {
      start = i;
      longest = end - i;
    }
    if (end > i) i = end;
  }
  const hex = groups.map((group) => group.toString(16));
  if (start < 0) return hex.join(":");
  return `${hex.slice(0, start).join(":")}::${hex.slice(start + longest).join(":")}`;
}

/** The canonical text of a range, host bits cleared. */
export function formatCidr({ address, prefixLength }: Cidr): string {
  return `${formatIp({ family: address.family, value: networkOf({ address, prefixLength }) })}/${prefixLength}`;
}

export function cidrContains(cidr: Cidr, address: IpAddress): boolean {
  if (cidr.address.family !== address.family) return false;
  return networkOf(cidr) === networkOf({ address, prefixLength: cidr.prefixLength });
}

function networkOf({ address, prefixLength }: Cidr): bigint {
  const hostBits = BigInt((address.family === 4 ? 32 : 128) - prefixLength);
  return (address.value >> hostBits) << hostBits;
}

const BAD_IP = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const BAD_CIDR = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/** A valid address in canonical form. Source: kubernetes v1.36 apimachinery/pkg/util/validation/ip.go, IsValidIP. */
export function validateIp(path: string, text: string): FieldError[] {
  const address = parseIp(text);
  if (address === undefined) return [invalid(path, text, BAD_IP)];
  const canonical = formatIp(address);
  if (canonical.startsWith("::ffff:"))
    return [invalid(path, text, "must not be an IPv4-mapped IPv6 address")];
  if (canonical !== text) return [invalid(path, text, `must be in canonical form ("${canonical}")`)];
  return [];
}

/** A valid address in any form, leading zeros included. Source: ip.go, IsValidIPForLegacyField. */
export function validateLegacyIp(path: string, text: string): FieldError[] {
  return parseIp(dropLeadingZeros(text)) === undefined ? [invalid(path, text, BAD_IP)] : [];
}

/** A valid range in canonical form. Source: ip.go, IsValidCIDR. */
export function validateCidr(path: string, text: string): FieldError[] {
  const cidr = parseCidr(text);
  if (cidr === undefined) return [invalid(path, text, BAD_CIDR)];
  const canonical = formatCidr(cidr);
  if (formatIp(cidr.address).startsWith("::ffff:")) {
    return [invalid(path, text, "must not have an IPv4-mapped IPv6 address")];
  }
  const network = { family: cidr.address.family, value: networkOf(cidr) };
  if (network.value !== cidr.address.value) {
    return [invalid(path, text, `must not have bits set beyond the prefix length`)];
  }
  return canonical === text ? [] : [invalid(path, text, `must be in canonical form ("${canonical}")`)];
}

/** A valid range in any form. Source: ip.go, IsValidCIDRForLegacyField. */
export function validateLegacyCidr(path: string, text: string): FieldError[] {
  return parseCidr(dropLeadingZeros(text)) === undefined ? [invalid(path, text, BAD_CIDR)] : [];
}

/** Old fields accept `010.1.2.3` as 10.1.2.3. */
function dropLeadingZeros(text: string): string {
  return text.includes(":") ? text : text.replace(/(^|\.)0+(?=\d)/g, "$1");
}

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

function parseIpv6(text: string): IpAddress | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const before = groupsOf(halves[0]!);
  const after = halves.length === 2 ? groupsOf(halves[1]!) : [];
  if (before === undefined || after === undefined) return undefined;
  const missing = 8 - before.length - after.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  let value = 0n;
  for (const group of [...before, ...new Array<number>(missing).fill(0), ...after]) {
    value = (value << 16n) | BigInt(group);
  }
  return { family: 6, value };
}

function groupsOf(text: string): number[] | undefined {
  if (text === "") return [];
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [i, part] of parts.entries()) {
    if (i === parts.length - 1 && part.includes(".")) {
      const tail = parseIpv4(part);
      if (tail === undefined) return undefined;
      groups.push(Number(tail >> 16n), Number(tail & 0xffffn));
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return undefined;
      groups.push(Number.parseInt(part, 16));
    }
  }
  return groups;
}
