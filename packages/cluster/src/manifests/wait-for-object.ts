import type { KubeObject, ResourceType, UnstructuredObject } from "@binnacle/apimachinery";
import type { Clock } from "@binnacle/base";
import type { Client, WatchSubscription } from "@binnacle/client";

/** Waits for an object to exist and to be as wanted. False when the time is over or the watch ended first. */
export async function waitForObject<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  key: { readonly namespace?: string; readonly name: string },
  options: {
    readonly clock: Clock;
    readonly waitMs: number;
    readonly isDone: (object: UnstructuredObject) => boolean;
  },
): Promise<boolean> {
  let finish: (outcome: boolean) => void = () => {};
  const outcome = new Promise<boolean>((resolve) => {
    finish = resolve;
  });
  const timer = options.clock.setTimer(options.waitMs, () => finish(false));
  let subscription: WatchSubscription | undefined;
  try {
    subscription = await client.watch(
      type,
      {
        ...(key.namespace === undefined ? {} : { namespace: key.namespace }),
        fieldSelector: `metadata.name=${key.name}`,
      },
      {
        onEvent: ({ type: event, object }) => {
          const isPresent = event === "ADDED" || event === "MODIFIED";
          if (isPresent && options.isDone(object as UnstructuredObject)) finish(true); // What such events carry.
        },
        onEnd: () => finish(false),
      },
    );
    return await outcome;
  } finally {
    timer.cancel();
    subscription?.stop();
  }
}
