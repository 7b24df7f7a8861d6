import type { StorageClass } from "@binnacle/api";
import { isAlreadyExists } from "@binnacle/apimachinery";
import type { Manager } from "@binnacle/controller-runtime";
import { storageClasses } from "../../resource-types.ts";
import { SIMULATED_PROVISIONER } from "./provision.ts";

const STANDARD: StorageClass = {
  metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner: SIMULATED_PROVISIONER,
};

/**
 * Creates the StorageClass of claims that name none, `standard`, unless a class of that name exists. Its volumes are
 * simulated, as the nodes are.
 */
export async function createDefaultStorageClass({ client }: Manager): Promise<void> {
  try {
    await client.create(storageClasses, STANDARD);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
