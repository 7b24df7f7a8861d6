import { nodes, pods } from "@binnacle/api";
import type { KubeObject, ResourceType, UnstructuredObject } from "@binnacle/apimachinery";
import { type Clock, type Stoppable, sleep } from "@binnacle/base";
import type { Client } from "@binnacle/client";
import type { Counts } from "./progress.ts";

/** Before a watch that ended is opened again. */
const REOPEN_MS = 1_000;

/** Counts nodes and pods and tells each change. */
export function watchCounts(client: Client, clock: Clock, onCounts: (counts: Counts) => void): Stoppable {
  const ending = new AbortController();
  const nodeStates = new Map<string, string>();
  const podStates = new Map<string, string>();
  const tell = (): void => {
    const podValues = [...podStates.values()];
    onCounts({
      nodes: nodeStates.size,
      readyNodes: [...nodeStates.values()].filter((state) => state === "Ready").length,
      pods: podStates.size,
      runningPods: podValues.filter((state) => state === "Running").length,
      pendingPods: podValues.filter((state) => state === "Pending").length,
    });
  };
  const follow = (
    type: ResourceType<KubeObject>,
    states: Map<string, string>,
    stateOf: StateOf,
  ): Promise<void> =>
    followResource({ client, clock, type, states, stateOf, signal: ending.signal, onChange: tell });
  const followers = Promise.all([follow(nodes, nodeStates, nodeState), follow(pods, podStates, podState)]);
  return {
    async stop() {
      ending.abort();
      await followers;
    },
  };
}

type StateOf = (object: UnstructuredObject) => string;

async function followResource(context: {
  readonly client: Client;
  readonly clock: Clock;
  readonly type: ResourceType<KubeObject>;
  readonly states: Map<string, string>;
  readonly stateOf: StateOf;
  readonly signal: AbortSignal;
  readonly onChange: () => void;
}): Promise<void> {
  const { client, clock, type, states, stateOf, signal, onChange } = context;
  while (!signal.aborted) {
    let onAbort = (): void => {};
    try {
      states.clear();
      await new Promise<void>((resolve, reject) => {
        const opened = client.watch(
          type,
          { signal },
          {
            onEvent(event) {
              const object = event.object as UnstructuredObject; // Of the watched resource; errors end the watch.
              const uid = object.metadata?.uid ?? "";
              if (event.type === "DELETED") states.delete(uid);
              else if (event.type === "ADDED" || event.type === "MODIFIED") states.set(uid, stateOf(object));
              onChange();
            },
            onEnd: () => resolve(),
          },
        );
        onAbort = resolve;
        signal.addEventListener("abort", onAbort, { once: true });
        opened.catch(reject);
      });
      if (!signal.aborted) await sleep(clock, REOPEN_MS, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }
}

function nodeState(object: UnstructuredObject): string {
  const { status } = object as { status?: { conditions?: { type: string; status: string }[] } }; // A Node.
  const ready = status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True");
  return ready === true ? "Ready" : "NotReady";
}

function podState(object: UnstructuredObject): string {
  const { status } = object as { status?: { phase?: string } }; // A Pod.
  return status?.phase ?? "Pending";
}
