/** An IPv4 range. */
export interface Cidr {
  /** The first address as a number. */
  readonly base: number;
  readonly prefixLength: number;
}

/** Reads `10.96.0.0/16`. Throws an Error that says what was expected. */
export function parseCidr(text: string): Cidr {
  const [address = "", prefix = ""] = text.split("/");
  const base = parseIPv4(address);
  const prefixLength = Number(prefix);
  if (
    base === undefined ||
    prefix === "" ||
    !Number.isInteger(prefixLength) ||
    prefixLength < 1 ||
    prefixLength > 32
  ) {
    throw new Error(`${JSON.stringify(text)} is not an IPv4 range such as 10.96.0.0/16`);
  }
  const size = 2 ** (32 - prefixLength);
  return { base: Math.floor(base / size) * size, prefixLength };
}

/** The address of the service `kubernetes` in a range: the first after the network's own. */
export function firstServiceAddress(range: string): string {
  return formatIPv4(parseCidr(range).base + 1);
}

export function cidrSize(cidr: Cidr): number {
  return 2 ** (32 - cidr.prefixLength);
}

/** The address as a number; undefined for anything but four decimal numbers. */
export function parseIPv4(text: string): number | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let value = 0;
  for (const part of parts) {
    if (!/^(0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = value * 256 + Number(part);
  }
  return value;
}

export function formatIPv4(value: number): string {
  return [value / 2 ** 24, value / 2 ** 16, value / 2 ** 8, value]
    .map((part) => Math.floor(part) % 256)
    .join(".");
}
