import { nextTurn, VirtualClock } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import type { RequestContext } from "../request/request-context.ts";
import { parseRequestInfo } from "../request/request-info.ts";
import type { FlowRule } from "./classify.ts";
import { FlowControl, type FlowSchemaConfig, type PriorityLevelSpec } from "./flow-control.ts";

function requestOf(
  user: string,
  groups: readonly string[] = ["people"],
  path = "/api/v1/pods",
): RequestContext {
  const query = new URLSearchParams();
  return {
    method: "GET",
    query,
    headers: { get: () => undefined, all: () => [], names: () => [] },
    body: { kind: "none" },
    signal: new AbortController().signal,
    info: parseRequestInfo("GET", path, query),
    user: { name: user, groups },
    warnings: [],
    answerHeaders: {},
  };
}

const ALL: readonly FlowRule[] = [
  {
    subjects: [{ kind: "Group", group: { name: "people" } }],
    resourceRules: [
      { verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] },
    ],
    nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
  },
];

function schema(name: string, level: string, precedence: number, rules = ALL): FlowSchemaConfig {
  return {
    name,
    uid: `uid-${name}`,
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence: precedence,
      distinguisherMethod: { type: "ByUser" },
      rules,
    },
  };
}

function limited(
  shares: number,
  more: Partial<NonNullable<PriorityLevelSpec["limited"]>> = {},
): PriorityLevelSpec {
  return {
    type: "Limited",
    limited: { nominalConcurrencyShares: shares, limitResponse: { type: "Reject" }, ...more },
  };
}

const level = (name: string, spec: PriorityLevelSpec) => ({ name, uid: `uid-${name}`, spec });
const QUEUE = { type: "Queue", queuing: { queues: 8, handSize: 2, queueLengthLimit: 5 } };

describe("FlowControl", () => {
  it("serves everything while nothing is configured", () => {
    expect(new FlowControl({ clock: new VirtualClock() }).enter(requestOf("a"))).toBeUndefined();
  });

  it("takes the schema that comes first, and names it and its level in the answer", () => {
    const control = new FlowControl({ clock: new VirtualClock() });
    control.configure(
      [schema("later", "low", 200), schema("b-first", "high", 100), schema("a-first", "high", 100)],
      [level("low", limited(1)), level("high", limited(1))],
    );
    const request = requestOf("alice");
    control.enter(request);
    expect(request.answerHeaders).toEqual({
      "x-kubernetes-pf-flowschema-uid": "uid-a-first",
      "x-kubernetes-pf-prioritylevel-uid": "uid-high",
    });
  });

  it.each<[string, readonly FlowRule[], RequestContext, boolean]>([
    [
      "a user",
      [{ subjects: [{ kind: "User", user: { name: "bob" } }], resourceRules: ALL[0]!.resourceRules! }],
      requestOf("bob"),
      true,
    ],
    [
      "another user",
      [{ subjects: [{ kind: "User", user: { name: "bob" } }], resourceRules: ALL[0]!.resourceRules! }],
      requestOf("eve"),
      false,
    ],
    [
      "every service account of a namespace",
      [
        {
          subjects: [{ kind: "ServiceAccount", serviceAccount: { namespace: "x", name: "*" } }],
          resourceRules: ALL[0]!.resourceRules!,
        },
      ],
      requestOf("system:serviceaccount:x:y"),
      true,
    ],
    [
      "a subresource by its full name",
      [
        {
          subjects: ALL[0]!.subjects,
          resourceRules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods/log"], namespaces: ["n"] }],
        },
      ],
      requestOf("a", ["people"], "/api/v1/namespaces/n/pods/p/log"),
      true,
    ],
    [
      "no cluster-wide request without clusterScope",
      [
        {
          subjects: ALL[0]!.subjects,
          resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"] }],
        },
      ],
      requestOf("a"),
      false,
    ],
    [
      "paths below a prefix",
      [
        {
          subjects: ALL[0]!.subjects,
          nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/healthz/*"] }],
        },
      ],
      requestOf("a", ["people"], "/healthz/ping"),
      true,
    ],
  ])("matches %s", (_title, rules, request, expected) => {
    const control = new FlowControl({ clock: new VirtualClock() });
    control.configure([schema("s", "l", 1, rules)], [level("l", limited(1))]);
    control.enter(request);
    expect(request.answerHeaders["x-kubernetes-pf-flowschema-uid"] !== undefined).toBe(expected);
  });

  it("never holds back what is exempt", () => {
    const control = new FlowControl({ clock: new VirtualClock(), seats: 1 });
    control.configure([schema("s", "exempt", 1)], [level("exempt", { type: "Exempt" })]);
    for (let i = 0; i < 50; i++) expect(control.enter(requestOf("a"))).toBeUndefined();
  });

  it("refuses with 429 what finds no seat where nobody waits", () => {
    const control = new FlowControl({ clock: new VirtualClock(), seats: 2 });
    control.configure([schema("s", "l", 1)], [level("l", limited(1))]);
    const seats = [control.enter(requestOf("a")), control.enter(requestOf("a"))];
    expect(() => control.enter(requestOf("b"))).toThrow("too many requests, please try again later.");
    (seats[0] as () => void)();
    expect(control.enter(requestOf("b"))).toBeTypeOf("function");
  });

  it("keeps a flood of one user away from the others of its level", async () => {
    const control = new FlowControl({ clock: new VirtualClock(), seats: 2 });
    const queued = limited(1, {
      limitResponse: { type: "Queue", queuing: { queues: 64, handSize: 4, queueLengthLimit: 50 } },
    });
    control.configure([schema("s", "l", 1)], [level("l", queued)]);
    const releases: (() => void)[] = [];
    const started: string[] = [];
    const enter = (user: string): void =>
      void Promise.resolve(control.enter(requestOf(user))).then((release) => {
        started.push(user);
        if (release !== undefined) releases.push(release);
      });
    for (let i = 0; i < 100; i++) enter("flood");
    enter("other");
    for (let i = 0; i < 6; i++) {
      await nextTurn();
      releases.shift()?.();
    }
    await nextTurn();
    expect(started).toContain("other");
    expect(started.length).toBeLessThan(12);
  });

  it("lends what a level does not use, up to its share, and has it back", async () => {
    const control = new FlowControl({ clock: new VirtualClock(), seats: 10 });
    control.configure(
      [
        schema("busy", "busy", 1),
        schema("calm", "calm", 2, [{ ...ALL[0]!, subjects: [{ kind: "User", user: { name: "calm" } }] }]),
      ],
      [
        level("busy", limited(5, { limitResponse: QUEUE })),
        level("calm", limited(5, { lendablePercent: 40 })),
      ],
    );
    const entered = Array.from({ length: 9 }, (_, i) => control.enter(requestOf(`u${i}`)));
    // Five of its own, and two of the other's five.
    expect(entered.filter((seat) => typeof seat === "function")).toHaveLength(7);
    // The lender is served at once nevertheless.
    const calm = Array.from({ length: 5 }, () => control.enter(requestOf("calm", ["none"])));
    expect(calm.every((seat) => typeof seat === "function")).toBe(true);
    // Nothing is lent now: the next seat that becomes free is the lender's.
    (entered[0] as () => void)();
    await nextTurn();
    expect(await Promise.race([entered[7], entered[8], nextTurn().then(() => "waits")])).toBe("waits");
  });

  it("lets through who waits in a level that goes", async () => {
    const control = new FlowControl({ clock: new VirtualClock(), seats: 1 });
    control.configure([schema("s", "l", 1)], [level("l", limited(1, { limitResponse: QUEUE }))]);
    control.enter(requestOf("a"));
    const waiting = control.enter(requestOf("a"));
    control.configure([], []);
    expect(await waiting).toBeTypeOf("function");
  });
});
