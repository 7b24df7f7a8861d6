import { join } from "node:path";
import type { Clock } from "@binnacle/base";
import {
  type Client,
  createClient,
  createHttpTransport,
  loadKubeconfig,
  serverConnection,
} from "@binnacle/client";

/** Uses a client of the cluster that runs on a data directory, as its administrator, and closes it. */
export async function withClusterClient<T>(
  dataDirectory: string,
  clock: Clock,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const config = await loadKubeconfig([join(dataDirectory, "kubeconfig")]);
  const transport = createHttpTransport(await serverConnection(config, { clock }), { clock });
  try {
    return await use(createClient(transport));
  } finally {
    await transport.close();
  }
}
