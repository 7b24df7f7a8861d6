/**
 * Rules for names and other short strings. Each function returns what is wrong in upstream's words; nothing: valid.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go and
 * staging/src/k8s.io/apimachinery/pkg/api/validate/content.
 */
export type NameRule = (value: string) => string[];

const DNS_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const DNS_SUBDOMAIN = `${DNS_LABEL}(\\.${DNS_LABEL})*`;
const DNS_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const NAME_PART = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE = `(${NAME_PART})?`;

const dnsLabelPattern = whole(DNS_LABEL);
const dnsSubdomainPattern = whole(DNS_SUBDOMAIN);
const dns1035Pattern = whole(DNS_1035);
const namePartPattern = whole(NAME_PART);
const labelValuePattern = whole(LABEL_VALUE);

const SUBDOMAIN_MESSAGE = regexMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  DNS_SUBDOMAIN,
  ["example.com"],
);
const LABEL_MESSAGE = regexMessage(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  DNS_LABEL,
  ["my-name", "123-abc"],
);
const DNS_1035_MESSAGE = regexMessage(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  DNS_1035,
  ["my-name", "abc-123"],
);
const NAME_PART_MESSAGE = regexMessage(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  NAME_PART,
  ["MyName", "my.name", "123-abc"],
);
const LABEL_VALUE_MESSAGE = regexMessage(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  LABEL_VALUE,
  ["MyValue", "my_value", "12345"],
);

/** A DNS subdomain: the usual object name. */
export function dnsSubdomain(value: string): string[] {
  const problems = isLonger(value, 253) ? [maxCharacters(253)] : [];
  if (!dnsSubdomainPattern.test(value)) problems.push(SUBDOMAIN_MESSAGE);
  return problems;
}

/** A DNS label: namespaces, services, containers. */
export function dnsLabel(value: string): string[] {
  const problems = isLonger(value, 63) ? [maxCharacters(63)] : [];
  if (!dnsLabelPattern.test(value)) {
    problems.push(dnsSubdomainPattern.test(value) ? "must not contain dots" : LABEL_MESSAGE);
  }
  return problems;
}

/** A DNS label that starts with a letter. */
export function dnsLabel1035(value: string): string[] {
  const problems = isLonger(value, 63) ? [maxCharacters(63)] : [];
  if (!dns1035Pattern.test(value)) problems.push(DNS_1035_MESSAGE);
  return problems;
}

const WILDCARD = `\\*\\.${DNS_SUBDOMAIN}`;
const wildcardPattern = whole(WILDCARD);

/** `*.example.com`. */
export function wildcardDnsSubdomain(value: string): string[] {
  const problems = isLonger(value, 253) ? [maxCharacters(253)] : [];
  if (!wildcardPattern.test(value)) {
    problems.push(
      regexMessage(
        "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
        WILDCARD,
        ["*.example.com"],
      ),
    );
  }
  return problems;
}

/** A label key, a condition type, a resource name: a name, perhaps after a DNS subdomain and `/`. */
export function qualifiedName(value: string): string[] {
  const parts = value.split("/");
  const problems: string[] = [];
  let name = parts[0]!;
  if (parts.length === 2) {
    name = parts[1]!;
    if (parts[0] === "") problems.push("prefix part must be non-empty");
    else for (const problem of dnsSubdomain(parts[0]!)) problems.push(`prefix part ${problem}`);
  } else if (parts.length > 2) {
    return [
      `a valid label key ${NAME_PART_MESSAGE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  if (name === "") problems.push("name part must be non-empty");
  else if (isLonger(name, 63)) problems.push(`name part ${maxBytes(63)}`);
  if (!namePartPattern.test(name)) problems.push(`name part ${NAME_PART_MESSAGE}`);
  return problems;
}

/** The value of a label. */
export function labelValue(value: string): string[] {
  const problems = isLonger(value, 63) ? [maxBytes(63)] : [];
  if (!labelValuePattern.test(value)) problems.push(LABEL_VALUE_MESSAGE);
  return problems;
}

/** A name that may stand in a URL path as one segment: RBAC objects. */
export function pathSegment(value: string): string[] {
  if (value === "." || value === "..") return [`may not be '${value}'`];
  return ["/", "%"].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
}

/** The name of a port (RFC 6335 service name). */
export function portName(value: string): string[] {
  const problems: string[] = [];
  if (isLonger(value, 15)) problems.push(maxCharacters(15));
  if (!/^[-a-z0-9]+$/.test(value)) {
    problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(value)) problems.push("must contain at least one letter (a-z)");
  if (value.includes("--")) problems.push("must not contain consecutive hyphens");
  if (value.startsWith("-") || value.endsWith("-")) problems.push("must not begin or end with a hyphen");
  return problems;
}

/** A C identifier. */
export function cIdentifier(value: string): string[] {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(value)) return [];
  return [
    regexMessage(
      "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
      "[A-Za-z_][A-Za-z0-9_]*",
      ["my_name", "MY_NAME", "MyName"],
    ),
  ];
}

/** The name of an environment variable: printable ASCII but `=`. */
export function envVarName(value: string): string[] {
  if (value === "") return ["environment variable name must be non-empty"];
  for (const character of value) {
    const code = character.codePointAt(0)!;
    if (code < 0x20 || code > 0x7e || character === "=") {
      return [
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      ];
    }
  }
  return [];
}

/** The key of a ConfigMap or Secret: a file name. */
export function configMapKey(value: string): string[] {
  const problems: string[] = [];
  if (isLonger(value, 253)) problems.push(maxCharacters(253));
  if (!/^[-._a-zA-Z0-9]+$/.test(value)) {
    problems.push(
      regexMessage(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        "[-._a-zA-Z0-9]+",
        ["key.name", "KEY_NAME", "key-name"],
      ),
    );
  }
  if (value === "." || value === "..") problems.push(`must not be '${value}'`);
  else if (value.startsWith("..")) problems.push("must not start with '..'");
  return problems;
}

/** `25%`. */
export function percent(value: string): string[] {
  if (/^[0-9]+%$/.test(value)) return [];
  return [
    regexMessage("a valid percent string must be a numeric string followed by an ending '%'", "[0-9]+%", [
      "1%",
      "93%",
    ]),
  ];
}

/** The name of an HTTP header. */
export function httpHeaderName(value: string): string[] {
  if (/^[-A-Za-z0-9]+$/.test(value)) return [];
  return [
    regexMessage("a valid HTTP header must consist of alphanumeric characters or '-'", "[-A-Za-z0-9]+", [
      "X-Header-Name",
    ]),
  ];
}

/** A TCP or UDP port. */
export function portNumber(value: number): string[] {
  return value >= 1 && value <= 65_535 ? [] : [inclusiveRange(1, 65_535)];
}

/** A Unix user or group id. */
export function userOrGroupId(value: number): string[] {
  return value >= 0 && value <= 2_147_483_647 ? [] : [inclusiveRange(0, 2_147_483_647)];
}

/** A name that ends in `-` because a suffix will follow, as it is checked: the end replaced by a letter. */
export function maskTrailingDash(value: string): string {
  return value.length > 1 && value.endsWith("-") ? `${value.slice(0, -2)}a` : value;
}

/** `must be between low and high, inclusive`. */
export function inclusiveRange(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

export function maxCharacters(limit: number): string {
  return `must be no more than ${limit} characters`;
}

/** Whether a text has more than `limit` bytes in UTF-8, which is what Go counts. */
function isLonger(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false; // No UTF-16 unit takes more than three bytes.
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes > limit;
}

function maxBytes(limit: number): string {
  return `must be no more than ${limit} bytes`;
}

/** Upstream's way to show a pattern; an example comes before it, or several. */
export function regexMessage(message: string, pattern: string, examples: readonly string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${pattern}')`;
  const shown = examples.map((example) => `'${example}', `).join(" or ");
  return `${message} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

function whole(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`);
}
