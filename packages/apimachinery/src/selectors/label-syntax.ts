/**
 * What label keys and values may look like.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/api/validate/content/kube.go.
 */

const NAME_FORMAT = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const NAME = new RegExp(`^${NAME_FORMAT}$`);
const NAME_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${NAME_FORMAT}')`;
const KEY_RULE = `a valid label key ${NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;

const VALUE = new RegExp(`^(${NAME_FORMAT})?$`);
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  `'(${NAME_FORMAT})?')`;

const SUBDOMAIN_FORMAT = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const SUBDOMAIN = new RegExp(`^${SUBDOMAIN_FORMAT}$`);
const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  `end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN_FORMAT}')`;

const MAX_NAME_BYTES = 63;
const MAX_SUBDOMAIN_BYTES = 253;

/** What is wrong with a label key; empty when it is valid. */
export function labelKeyErrors(key: string): string[] {
  const parts = key.split("/");
  if (parts.length > 2) return [KEY_RULE];
  const errors: string[] = [];
  const name = parts.at(-1)!;
  if (parts.length === 2) errors.push(...prefixErrors(parts[0]!));
  if (name === "") errors.push("name part must be non-empty");
  else if (byteLength(name) > MAX_NAME_BYTES)
    errors.push(`name part must be no more than ${MAX_NAME_BYTES} bytes`);
  if (!NAME.test(name)) errors.push(`name part ${NAME_RULE}`);
  return errors;
}

/** What is wrong with a label value; empty when it is valid. */
export function labelValueErrors(value: string): string[] {
  const errors: string[] = [];
  if (byteLength(value) > MAX_NAME_BYTES) errors.push(`must be no more than ${MAX_NAME_BYTES} bytes`);
  if (!VALUE.test(value)) errors.push(VALUE_RULE);
  return errors;
}

function prefixErrors(prefix: string): string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  const errors: string[] = [];
  if (byteLength(prefix) > MAX_SUBDOMAIN_BYTES)
    errors.push(`prefix part must be no more than ${MAX_SUBDOMAIN_BYTES} bytes`);
  if (!SUBDOMAIN.test(prefix)) errors.push(`prefix part ${SUBDOMAIN_RULE}`);
  return errors;
}

/** Go counts bytes of UTF-8. */
function byteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
