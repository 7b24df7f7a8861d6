import { type KubeObject, type ResourceType, resourceType } from "@binnacle/apimachinery";
import { Activity, createSeededRandom, silentLogger, VirtualClock } from "@binnacle/base";
import { type Client, createClient } from "@binnacle/client";
import { MemoryTransport } from "./memory-transport.ts";

export interface Thing extends KubeObject {
  spec?: { size?: number };
  status?: { size?: number };
}

export const things: ResourceType<Thing> = resourceType({
  group: "x.io",
  version: "v1",
  kind: "Thing",
  resource: "things",
  namespaced: true,
});

export const parts: ResourceType<Thing> = resourceType({
  group: "x.io",
  version: "v1",
  kind: "Part",
  resource: "parts",
  namespaced: true,
});

/** A thing in namespace `a`. */
export function thing(name: string, rest: Partial<Thing> = {}): Thing {
  return { ...rest, metadata: { namespace: "a", name, ...rest.metadata } };
}

export interface World {
  readonly transport: MemoryTransport;
  readonly client: Client;
  readonly clock: VirtualClock;
  readonly activity: Activity;
  /** What cache, reflector and manager want. */
  readonly basics: {
    readonly client: Client;
    readonly clock: VirtualClock;
    readonly random: ReturnType<typeof createSeededRandom>;
    readonly logger: typeof silentLogger;
    readonly activity: Activity;
  };
}

export function makeWorld(): World {
  const transport = new MemoryTransport();
  const client = createClient(transport);
  const clock = new VirtualClock();
  const activity = new Activity();
  const basics = { client, clock, random: createSeededRandom(1), logger: silentLogger, activity };
  return { transport, client, clock, activity, basics };
}
