/**
 * The texts of Warning headers: `299 - "text"`, several separated by commas, with `\` before quotes and backslashes.
 * What does not read as a warning is left out.
 *
 * Source: RFC 7234 section 5.5; kubernetes v1.36 apimachinery/pkg/util/net/http.go, ParseWarningHeaders.
 */
export function parseWarningHeaders(header: string | readonly string[] | undefined): string[] {
  const values = header === undefined ? [] : typeof header === "string" ? [header] : header;
  const texts: string[] = [];
  for (const value of values) {
    for (const match of value.matchAll(WARNING)) texts.push(match[1]!.replace(/\\(.)/g, "$1"));
  }
  return texts;
}

/** Code, agent, quoted text, and optionally a quoted date. */
const WARNING = /\d{3} \S+ "((?:[^"\\]|\\.)*)"(?: "[^"]*")?/g;
