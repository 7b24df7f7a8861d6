const DOMAIN =
  /^(?:(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*|\[[a-fA-F0-9:]+\])(?::\d+)?$/;
const REST =
  /^([a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*)(?::([\w][\w.-]{0,127}))?(@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$/;
const BARE_ID = /^[a-f0-9]{64}$/;

/**
 * The tag of an image reference: `latest` when it names neither tag nor digest, undefined when it names a digest only
 * or is no reference at all.
 *
 * Source: kubernetes v1.36 pkg/util/parsers/parsers.go, ParseImageName, on distribution/reference.
 */
export function imageTag(image: string): string | undefined {
  if (BARE_ID.test(image)) return undefined;
  const slash = image.indexOf("/");
  const first = image.slice(0, Math.max(slash, 0));
  const hasDomain =
    slash >= 0 && (/[.:]/.test(first) || first === "localhost" || first !== first.toLowerCase());
  if (hasDomain && !DOMAIN.test(first)) return undefined;
  const match = REST.exec(hasDomain ? image.slice(slash + 1) : image);
  if (match === null) return undefined;
  const [, , tag, digest] = match;
  return tag ?? (digest === undefined ? "latest" : undefined);
}
