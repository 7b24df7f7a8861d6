import { DEFAULT_CLASS_ANNOTATION, storageClasses } from "@binnacle/api";
import { isAlreadyExists } from "@binnacle/apimachinery";
import type { Client } from "@binnacle/client";
import { SIMULATED_PROVISIONER } from "@binnacle/controllers";

/**
 * Creates the default storage class of a cluster that has none, so that claims without a class get a simulated volume.
 * A cluster that has any class is left as its people made it.
 */
export async function createDefaultStorageClass(client: Client): Promise<void> {
  const { items } = await client.list(storageClasses, { limit: 1 });
  if (items.length > 0) return;
  try {
    await client.create(storageClasses, {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "standard", annotations: { [DEFAULT_CLASS_ANNOTATION]: "true" } },
      provisioner: SIMULATED_PROVISIONER,
    });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error; // Created meanwhile.
  }
}
