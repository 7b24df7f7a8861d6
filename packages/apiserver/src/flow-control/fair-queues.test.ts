import { nextTurn, VirtualClock } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { dealHand, FairQueues, type QueueShape } from "./fair-queues.ts";

function setUp(seats: number, shape: Partial<QueueShape> = {}) {
  const clock = new VirtualClock();
  let used = 0;
  const queues: FairQueues = new FairQueues({
    clock,
    shape: { queues: 16, handSize: 3, queueLengthLimit: 10, ...shape },
    waitLimitMs: 1_000,
    takeSeat: () => {
      if (used >= seats) return undefined;
      used++;
      return () => {
        used--;
        queues.dispatch();
      };
    },
  });
  const started: string[] = [];
  const running: (() => void)[] = [];
  /** Enters a request that runs until it is finished by `finish`. */
  const enter = (flow: string, signal = new AbortController().signal): Promise<string> | "full" => {
    const entered = queues.enter(flow, signal, () => new Error("waited too long"));
    if (entered === undefined) return "full";
    return Promise.resolve(entered).then(
      (release) => {
        started.push(flow);
        running.push(release);
        return "started";
      },
      (error: unknown) => String(error),
    );
  };
  const finish = async (): Promise<void> => {
    running.shift()?.();
    await nextTurn();
  };
  return { clock, queues, started, enter, finish };
}

describe("dealHand", () => {
  it("gives a flow different queues, and the same ones each time", () => {
    for (const flow of ["a", "b", "alice", "system:serviceaccount:x:y"]) {
      const hand = dealHand(flow, { queues: 64, handSize: 6 });
      expect(new Set(hand).size).toBe(6);
      expect(hand.every((index) => index >= 0 && index < 64)).toBe(true);
      expect(dealHand(flow, { queues: 64, handSize: 6 })).toEqual(hand);
    }
    expect(dealHand("a", { queues: 64, handSize: 6 })).not.toEqual(
      dealHand("b", { queues: 64, handSize: 6 }),
    );
    expect(dealHand("a", { queues: 2, handSize: 6 }).sort()).toEqual([0, 1]);
  });
});

describe("FairQueues", () => {
  it("starts at once while there are seats, and in order afterwards", async () => {
    const { started, enter, finish } = setUp(2);
    for (const flow of ["a", "a", "a", "a"]) void enter(flow);
    await nextTurn();
    expect(started).toHaveLength(2);
    await finish();
    await finish();
    expect(started).toHaveLength(4);
  });

  it("lets a small flow pass while a large one waits for itself", async () => {
    const { clock, started, enter, finish } = setUp(1);
    for (let i = 0; i < 20; i++) void enter("large");
    await nextTurn();
    void enter("small");
    for (let i = 0; i < 4; i++) {
      await clock.advance(10);
      await finish();
    }
    expect(started.filter((flow) => flow === "small")).toHaveLength(1);
  });

  it("refuses a flow whose queues are full, and only that one", async () => {
    const { enter } = setUp(1, { queues: 64, handSize: 2, queueLengthLimit: 3 });
    const outcomes = Array.from({ length: 12 }, () => enter("a"));
    await nextTurn();
    expect(outcomes.filter((outcome) => outcome === "full")).toHaveLength(5);
    expect(enter("b")).not.toBe("full");
  });

  it("gives up after the wait limit and when the client goes, and forgets who left", async () => {
    const { clock, queues, enter, finish } = setUp(1);
    void enter("a");
    const leaving = new AbortController();
    const [late, gone] = [enter("a"), enter("a", leaving.signal)];
    leaving.abort(new Error("the client is gone"));
    expect(await gone).toBe("Error: the client is gone");
    await clock.advance(1_000);
    expect(await late).toBe("Error: waited too long");
    expect(queues.waiting).toBe(0);
    await finish();
    expect(await enter("a")).toBe("started");
  });
});
