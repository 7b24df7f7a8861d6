import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A field as the OpenAPI document publishes it, told by the generated client. */
export interface ModelField {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly required: boolean;
}

/**
 * Reads the models of `@kubernetes/client-node` as text: the package itself does not load on every Node we support.
 */
export class ClientModels {
  readonly #folder: string;

  constructor(root: string) {
    this.#folder = join(root, "node_modules/@kubernetes/client-node/dist/gen/models");
  }

  /** The fields of a type by JSON name, or undefined where the client has no model of it. */
  read(shortPackageName: string, type: string): Map<string, ModelField> | undefined {
    const [group = "", version = ""] = shortPackageName.split(".");
    const prefixed = `${capitalize(group)}${capitalize(version)}${type}`;
    for (const model of [prefixed, `${capitalize(version)}${type}`]) {
      if (existsSync(join(this.#folder, `${model}.js`))) return this.#parse(model);
    }
    return undefined;
  }

  #parse(model: string): Map<string, ModelField> {
    const code = readFileSync(join(this.#folder, `${model}.js`), "utf8");
    const types = readFileSync(join(this.#folder, `${model}.d.ts`), "utf8");
    const fields = new Map<string, ModelField>();
    const entry = /"name": "([^"]+)",\s+"baseName": "([^"]+)",\s+"type": "([^"]+)",\s+"format": "([^"]*)"/g;
    for (const [, property, name, type, format] of code.matchAll(entry)) {
      const required = !types.includes(`    '${property}'?:`);
      fields.set(name!, { name: name!, type: type!, format: format!, required });
    }
    return fields;
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
