import { conflict, OBJECT_MODIFIED } from "@binnacle/apimachinery";
import { mergePatch, type ObjectKey } from "@binnacle/client";
import { describe, expect, it } from "vitest";
import { controllerFor, controllerNamed } from "../builder/builder.ts";
import { observe } from "../controller/controller-definition.ts";
import { enqueueMapped } from "../handler/handler.ts";
import { controllerReference } from "../owner/owner-reference.ts";
import { generationChanged } from "../predicate/predicate.ts";
import { done, type Reconcile, terminal } from "../reconcile/reconcile.ts";
import { createKeyChannel } from "../source/source.ts";
import { makeWorld, parts, thing, things } from "../testing/fixtures.ts";
import { createManager } from "./manager.ts";

function recording(then: Reconcile = async () => done): { keys: string[]; reconcile: Reconcile } {
  const keys: string[] = [];
  return {
    keys,
    reconcile: async (key, context) => {
      keys.push(`${key.namespace}/${key.name}`);
      return then(key, context);
    },
  };
}

describe("Manager", () => {
  it("brings the world to what objects ask for, and settles", async () => {
    const { client, basics, activity } = makeWorld();
    await client.create(things, thing("early", { spec: { size: 2 } }));
    const reconcile: Reconcile = async (key, context) => {
      const owner = await context.client.find(things, key);
      if (owner === undefined) return done;
      const present = await context.client.listOwned(parts, owner);
      for (let i = present.length; i < (owner.spec?.size ?? 0); i++) {
        const metadata = {
          generateName: `${key.name}-`,
          namespace: "a",
          ownerReferences: [controllerReference(things, owner)],
        };
        await context.client.create(parts, { metadata });
      }
      if (owner.status?.size !== present.length)
        await context.client.patchStatus(things, key, mergePatch({ status: { size: present.length } }));
      return done;
    };
    const manager = createManager(basics).add(controllerFor(things).owns(parts).reconcile(reconcile));
    await manager.start();
    await client.create(things, thing("late", { spec: { size: 1 } }));
    await activity.whenIdle();
    expect((await client.get(things, { namespace: "a", name: "early" })).status?.size).toBe(2);
    expect((await client.get(things, { namespace: "a", name: "late" })).status?.size).toBe(1);
    await client.delete(parts, (await client.list(parts)).items[0]!);
    await activity.whenIdle();
    expect((await client.list(parts)).items).toHaveLength(3);
    expect(manager.health).toEqual({ hasSynced: true, isLeader: true });
    expect(manager.stats[0]).toMatchObject({ name: "thing", queued: 0, running: 0, errors: 0 });
    await manager.stop();
    expect(activity.isIdle).toBe(true);
  });

  it("tries failed keys again, later each time, until they succeed", async () => {
    const { client, basics, activity, clock } = makeWorld();
    let failures = 3;
    const { keys, reconcile } = recording(async () => {
      if (failures-- > 0)
        throw failures === 1 ? conflict(things, "one", OBJECT_MODIFIED) : new Error("not yet");
      return done;
    });
    const manager = createManager(basics).add(controllerFor(things).reconcile(reconcile));
    await client.create(things, thing("one"));
    await manager.start();
    await activity.whenIdle();
    expect(keys).toHaveLength(1);
    await clock.advance(4);
    expect(keys).toHaveLength(1);
    await clock.advance(1);
    expect(keys).toHaveLength(2);
    await clock.advance(30);
    expect(keys).toHaveLength(4);
    expect(manager.stats[0]).toMatchObject({ reconciles: 4, errors: 3 });
    await manager.stop();
  });

  it("does not retry what is hopeless, and comes back when asked to", async () => {
    const { client, basics, activity, clock } = makeWorld();
    const { keys, reconcile } = recording(async ({ name }) => {
      if (name === "bad") throw terminal("never");
      return { requeueAfterMs: 1000 };
    });
    const manager = createManager(basics).add(controllerFor(things).reconcile(reconcile));
    await client.create(things, thing("bad"));
    await client.create(things, thing("good"));
    await manager.start();
    await activity.whenIdle();
    await clock.advance(2500);
    expect(keys).toEqual(["a/bad", "a/good", "a/good", "a/good"]);
    expect(manager.stats[0]).toMatchObject({ terminalErrors: 1, requeues: 3 });
    await manager.stop();
  });

  it("survives a reconciler that throws before it returns a promise", async () => {
    const { client, basics, activity, clock } = makeWorld();
    let calls = 0;
    const reconcile: Reconcile = () => {
      if (++calls === 1) throw new Error("broken");
      return Promise.resolve(done);
    };
    const manager = createManager(basics).add(controllerFor(things).reconcile(reconcile));
    await client.create(things, thing("one"));
    await manager.start();
    await activity.whenIdle();
    await clock.advance(5);
    expect(calls).toBe(2);
    await manager.stop();
  });

  it("takes keys from watches, predicates and channels", async () => {
    const { client, basics, activity } = makeWorld();
    const channel = createKeyChannel();
    const first = recording();
    const second = recording();
    const manager = createManager(basics)
      .add(
        controllerFor(things, generationChanged)
          .named("first")
          .watches(
            parts,
            enqueueMapped((part) => [{ namespace: "a", name: `of-${part.metadata.name}` }]),
          )
          .reconcile(first.reconcile),
      )
      .add(controllerNamed("second").source(channel).reconcile(second.reconcile));
    await client.create(things, thing("one", { metadata: { generation: 1 } }));
    await manager.start();
    await activity.whenIdle();
    await client.patch(
      things,
      { namespace: "a", name: "one" },
      mergePatch({ metadata: { labels: { a: "b" } } }),
    );
    await client.create(parts, thing("p"));
    channel.send({ namespace: "a", name: "sent" });
    await activity.whenIdle();
    expect(first.keys).toEqual(["a/one", "a/of-p"]);
    expect(second.keys).toEqual(["a/sent"]);
    await manager.stop();
    channel.send({ namespace: "a", name: "late" });
    expect(activity.isIdle).toBe(true);
  });

  it("gives a controller state of its own, which hears of changes before keys do", async () => {
    const { client, basics, activity } = makeWorld();
    const log: string[] = [];
    const definition = controllerFor(things).setup(() => {
      const seen = new Set<string>();
      return {
        observers: [observe(things, ({ updated }) => void seen.add(updated?.metadata.name ?? ""))],
        start: (enqueue) => {
          enqueue.add({ namespace: "a", name: "extra" });
          return () => void log.push("stopped");
        },
        reconcile: async ({ name }: ObjectKey) => {
          log.push(`${name} ${seen.has(name)}`);
          return done;
        },
      };
    });
    await client.create(things, thing("one"));
    const manager = createManager(basics);
    await manager.start();
    manager.add(definition);
    await activity.whenIdle();
    await manager.stop();
    expect(log).toEqual(["one true", "extra false", "stopped"]);
    expect(() => createManager(basics).add(definition).add(definition)).toThrow(
      "thing has been added already",
    );
  });

  it("reads from the cache, and from the server when asked to", async () => {
    const { client, basics, transport } = makeWorld();
    await client.create(things, thing("one", { metadata: { labels: { a: "b" } } }));
    const manager = createManager(basics);
    await manager.start();
    const cached = manager.client.inNamespace("a");
    expect((await cached.get(things, { name: "one" })).metadata.name).toBe("one");
    expect(
      (await cached.list(things, { labelSelector: "a=b", fieldSelector: "metadata.name!=x" })).items,
    ).toHaveLength(1);
    await expect(manager.client.get(things, { namespace: "a", name: "two" })).rejects.toMatchObject({
      message: 'things.x.io "two" not found',
    });
    expect(transport.requests.filter((each) => each.startsWith("GET"))).toEqual(["GET things"]);
    await manager.client.live.get(things, { namespace: "a", name: "one" });
    expect(transport.requests.at(-1)).toBe("GET things/a/one");
    await manager.stop();
  });

  it("runs controllers only while it leads", async () => {
    const { client, basics, clock, activity, transport } = makeWorld();
    await client.create(things, thing("one"));
    const lost: string[] = [];
    const candidate = (identity: string) => {
      const { keys, reconcile } = recording();
      const manager = createManager({
        ...basics,
        leaderElection: { lease: { namespace: "a", name: "lock" }, identity },
        onLeadershipLost: () => lost.push(identity),
      }).add(controllerFor(things).reconcile(reconcile));
      return { keys, manager };
    };
    const [first, second] = [candidate("first"), candidate("second")];
    await first.manager.start();
    await clock.advance(10);
    await second.manager.start();
    await clock.advance(60_000);
    expect([first.keys.length, second.keys.length]).toEqual([1, 0]);
    expect(second.manager.health.isLeader).toBe(false);
    // The first can no longer renew: it gives up after 10 s, before the second may take over after 15 s.
    transport.fail = ({ path, body }) =>
      path.includes("leases") && JSON.stringify(body ?? "").includes("first")
        ? new Error("cut off")
        : undefined;
    await clock.advance(12_500);
    await activity.whenIdle();
    expect(lost).toEqual(["first"]);
    expect(second.keys).toHaveLength(0);
    await clock.advance(10_000);
    expect(second.keys).toHaveLength(1);
    await second.manager.stop();
    const lease = await client.send({
      method: "GET",
      path: "/apis/coordination.k8s.io/v1/namespaces/a/leases/lock",
    });
    expect(lease).toMatchObject({ spec: { holderIdentity: "", leaseTransitions: 1 } });
  });
});
