import { isQuantity } from "@binnacle/apimachinery";
import type { NodeTemplate } from "@binnacle/cluster";
import { UsageError } from "./usage-error.ts";

const EXPECTED = "name=gpu-1,labels=zone=a;tier=gpu,capacity=cpu=4;nvidia.com/gpu=1";

/**
 * Reads one `--node`: parts separated by commas, each `name=NAME`, `labels=KEY=VALUE;…` or `capacity=RESOURCE=QUANTITY;…`.
 * Throws {@link UsageError}. `position` counts the nodes given so far, for the default name.
 */
export function parseNode(text: string, position: number): NodeTemplate {
  const parts = new Map<string, string>();
  for (const part of text.split(",")) {
    const [key, value] = splitOnce(part, text);
    if (!["name", "labels", "capacity"].includes(key)) {
      throw new UsageError(
        `--node: ${JSON.stringify(key)} is unknown; such a value was expected: ${EXPECTED}`,
      );
    }
    if (parts.has(key)) throw new UsageError(`--node: ${key} is given twice in ${JSON.stringify(text)}`);
    parts.set(key, value);
  }
  const name = parts.get("name") ?? `node-${position}`;
  if (!/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(name)) {
    throw new UsageError(`--node: ${JSON.stringify(name)} is not a name of a node`);
  }
  const labels = pairs(parts.get("labels"), text);
  const capacity = pairs(parts.get("capacity"), text);
  for (const [resource, quantity] of Object.entries(capacity)) {
    if (!isQuantity(quantity)) {
      throw new UsageError(
        `--node: ${JSON.stringify(quantity)} of ${resource} is not a quantity such as 4 or 16Gi`,
      );
    }
  }
  return {
    name,
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(Object.keys(capacity).length === 0 ? {} : { capacity }),
  };
}

function pairs(text: string | undefined, whole: string): Record<string, string> {
  const words = (text ?? "").split(";").filter((word) => word !== "");
  return Object.fromEntries(words.map((word) => splitOnce(word, whole))); // Defines own keys, whatever they are called.
}

function splitOnce(text: string, whole: string): [string, string] {
  const at = text.indexOf("=");
  if (at <= 0) {
    throw new UsageError(
      `--node: ${JSON.stringify(whole)} cannot be read; such a value was expected: ${EXPECTED}`,
    );
  }
  return [text.slice(0, at), text.slice(at + 1)];
}
