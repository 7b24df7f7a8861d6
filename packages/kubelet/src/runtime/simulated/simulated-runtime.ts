import type {
  Container,
  ContainerState,
  ContainerStatus,
  EphemeralContainer,
  Pod,
  PodCondition,
  PodStatus,
} from "@binnacle/api";
import { msToTime, timeToMs } from "@binnacle/apimachinery";
import type { Clock } from "@binnacle/base";
import type { PodEvent, PodPlace, PodReport, Runtime } from "../runtime.ts";
import { type Behaviour, behaviourOf, probeDelayMs } from "./behaviour.ts";
import { type ContainerLife, containerLifeAt } from "./container-life.ts";

/** What is remembered of a pod while it lives; everything else follows from the pod and the time. */
interface SimulatedPod {
  readonly startedAtMs: number;
  stopRequestedAtMs: number | undefined;
  readonly announced: Set<string>;
  /** When each ephemeral container was first seen: they come while the pod runs, and stay. */
  readonly ephemeralStartedAtMs: Map<string, number>;
}

/** Runs pods without containers: they go through their life as their annotations say, on the given clock. */
export function createSimulatedRuntime(clock: Clock): Runtime {
  const pods = new Map<string, SimulatedPod>();
  const remember = (pod: Pod): SimulatedPod => {
    const uid = pod.metadata.uid ?? "";
    let known = pods.get(uid);
    if (known === undefined) {
      // After a restart the story goes on from where the status says it began.
      const earlier = pod.status?.startTime;
      known = {
        startedAtMs: earlier === undefined ? clock.now() : timeToMs(earlier),
        stopRequestedAtMs: undefined,
        announced: new Set(),
        ephemeralStartedAtMs: new Map(),
      };
      if (earlier !== undefined) for (const { name } of pod.spec.containers) known.announced.add(name);
      for (const { name, state } of pod.status?.ephemeralContainerStatuses ?? []) {
        if (state?.running?.startedAt === undefined) continue;
        known.announced.add(name);
        known.ephemeralStartedAtMs.set(name, timeToMs(state.running.startedAt));
      }
      pods.set(uid, known);
    }
    return known;
  };
  return {
    async sync(pod, place) {
      const known = remember(pod);
      const story = tellStory(pod, known, clock.now());
      if (story.isStarting) {
        return { status: undefined, events: [], lookAgainAfterMs: story.nextChangeAtMs! - clock.now() };
      }
      return report(pod, place, known, story, clock.now());
    },
    async stop(pod, gracePeriodSeconds) {
      const known = remember(pod);
      known.stopRequestedAtMs ??= clock.now();
      const delayMs = Math.min(behaviourOf(pod).stopDelayMs, gracePeriodSeconds * 1_000);
      const restMs = known.stopRequestedAtMs + delayMs - clock.now();
      return restMs <= 0 ? { isStopped: true } : { isStopped: false, lookAgainAfterMs: restMs };
    },
    forget: (uid) => void pods.delete(uid),
  };
}

/** All containers of a pod at a moment. */
interface Story {
  readonly isStarting: boolean;
  readonly init: readonly { readonly container: Container; readonly life: ContainerLife }[];
  readonly main: readonly { readonly container: Container; readonly life: ContainerLife }[];
  readonly ephemeral: readonly { readonly container: EphemeralContainer; readonly life: ContainerLife }[];
  readonly isInitialized: boolean;
  readonly nextChangeAtMs: number | undefined;
}

/**
 * Init containers run one after the other (sidecars keep running), then the main containers start together. Ephemeral
 * ones start when they are seen.
 */
function tellStory(pod: Pod, known: SimulatedPod, nowMs: number): Story {
  const behaviour = behaviourOf(pod);
  const { spec } = pod;
  const { startedAtMs } = known;
  const podPolicy = (spec.restartPolicy ?? "Always") as "Always" | "OnFailure" | "Never"; // Validated by the server.
  const startAtMs = startedAtMs + behaviour.startDelayMs;
  const init = (spec.initContainers ?? []).map((container) => {
    const isSidecar = container.restartPolicy === "Always";
    const life = containerLifeAt(
      {
        startAtMs,
        runDurationMs: isSidecar ? undefined : 0,
        exitCode: 0,
        readyAfterMs: isSidecar ? probeDelayMs(container) : 0,
        restartPolicy: isSidecar ? "Always" : "OnFailure",
      },
      nowMs,
    );
    return { container, life };
  });
  const main = spec.containers.map((container) => ({
    container,
    life: lifeOfMain(container, behaviour, startAtMs, podPolicy, nowMs),
  }));
  const ephemeral = (nowMs < startAtMs ? [] : (spec.ephemeralContainers ?? [])).map((container) => {
    const seenAtMs = known.ephemeralStartedAtMs.get(container.name) ?? nowMs;
    known.ephemeralStartedAtMs.set(container.name, seenAtMs);
    return { container, life: runningSince(seenAtMs) };
  });
  const changes = [...init, ...main].map(({ life }) => life.nextChangeAtMs).filter((at) => at !== undefined);
  return {
    isStarting: nowMs < startAtMs,
    init,
    main,
    ephemeral,
    isInitialized: nowMs >= startAtMs,
    nextChangeAtMs: changes.length === 0 ? undefined : Math.min(...changes),
  };
}

/** Nothing probes an ephemeral container, and it never counts as ready. */
function runningSince(startedAtMs: number): ContainerLife {
  return {
    phase: { state: "running", startedAtMs, isReady: false },
    restarts: 0,
    nextChangeAtMs: undefined,
  };
}

function lifeOfMain(
  container: Container,
  behaviour: Behaviour,
  startAtMs: number,
  restartPolicy: "Always" | "OnFailure" | "Never",
  nowMs: number,
): ContainerLife {
  const { runDurationMs, exitCode, readyDelayMs } = behaviour;
  const readyAfterMs = readyDelayMs + probeDelayMs(container);
  return containerLifeAt({ startAtMs, runDurationMs, exitCode, readyAfterMs, restartPolicy }, nowMs);
}

function report(pod: Pod, place: PodPlace, known: SimulatedPod, story: Story, nowMs: number): PodReport {
  const phase = phaseOf(story);
  const isOver = phase === "Succeeded" || phase === "Failed";
  const isReady =
    !isOver && story.main.every(({ life }) => life.phase.state === "running" && life.phase.isReady);
  const readyReason = isOver ? (phase === "Succeeded" ? "PodCompleted" : "PodFailed") : "ContainersNotReady";
  const unready = story.main.filter(({ life }) => !(life.phase.state === "running" && life.phase.isReady));
  const notReady = isReady
    ? {}
    : {
        reason: readyReason,
        ...(isOver
          ? {}
          : {
              message: `containers with unready status: [${unready.map(({ container }) => container.name).join(" ")}]`,
            }),
      };
  const condition = (
    type: string,
    holds: boolean,
    details: { reason?: string; message?: string } = {},
  ): PodCondition => conditionOf(pod, type, holds, details, nowMs);
  const others = (pod.status?.conditions ?? []).filter(({ type }) => !OWN_CONDITIONS.has(type));
  const startTime = msToTime(known.startedAtMs);
  const generation = pod.metadata.generation;
  const status: PodStatus = {
    ...pod.status,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    phase,
    conditions: [
      condition("PodReadyToStartContainers", !isOver),
      condition(
        "Initialized",
        story.isInitialized,
        isOver && phase === "Succeeded" ? { reason: "PodCompleted" } : {},
      ),
      condition("Ready", isReady, notReady),
      condition("ContainersReady", isReady, notReady),
      ...others,
    ],
    hostIP: place.hostIp,
    hostIPs: [{ ip: place.hostIp }],
    podIP: place.podIp,
    podIPs: [{ ip: place.podIp }],
    startTime,
    containerStatuses: story.main.map(({ container, life }) => containerStatus(pod, container, life)),
  };
  if (story.init.length > 0) {
    status.initContainerStatuses = story.init.map(({ container, life }) =>
      containerStatus(pod, container, life),
    );
  }
  if (story.ephemeral.length > 0) {
    status.ephemeralContainerStatuses = story.ephemeral.map(({ container, life }) =>
      containerStatus(pod, container, life),
    );
  }
  const next = story.nextChangeAtMs;
  return {
    status,
    events: announce(known, story),
    lookAgainAfterMs: next === undefined ? undefined : Math.max(0, next - nowMs),
  };
}

const OWN_CONDITIONS: ReadonlySet<string> = new Set([
  "PodReadyToStartContainers",
  "Initialized",
  "Ready",
  "ContainersReady",
]);

/** Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go, getPhase. */
function phaseOf(story: Story): "Pending" | "Running" | "Succeeded" | "Failed" {
  const phases = story.main.map(({ life }) => life.phase);
  if (phases.every(({ state }) => state === "terminated")) {
    return phases.every((each) => each.state === "terminated" && each.exitCode === 0)
      ? "Succeeded"
      : "Failed";
  }
  const hasStarted = story.main.some(
    ({ life }) => life.phase.state !== "waiting" || life.lastRun !== undefined,
  );
  return hasStarted ? "Running" : "Pending";
}

/** A condition that keeps its transition time while it does not change. */
function conditionOf(
  pod: Pod,
  type: string,
  holds: boolean,
  details: { reason?: string; message?: string },
  nowMs: number,
): PodCondition {
  const status = holds ? "True" : "False";
  const before = (pod.status?.conditions ?? []).find((each) => each.type === type);
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : msToTime(nowMs);
  const generation = pod.metadata.generation;
  return {
    type,
    status,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }),
    ...details,
  };
}

function containerStatus(
  pod: Pod,
  container: Pick<Container, "name" | "image">,
  life: ContainerLife,
): ContainerStatus {
  const { phase } = life;
  const image = container.image ?? "";
  const id = `simulated://${(pod.metadata.uid ?? "").replaceAll("-", "")}/${container.name}/${life.restarts}`;
  const isReady = phase.state === "running" && phase.isReady;
  const isDone = phase.state === "terminated" && phase.exitCode === 0;
  return {
    name: container.name,
    state: stateOf(phase, id),
    lastState: life.lastRun === undefined ? {} : { terminated: terminatedState(life.lastRun, id) },
    ready: isReady || (isDone && pod.spec.containers.every(({ name }) => name !== container.name)),
    restartCount: life.restarts,
    image,
    imageID: phase.state === "waiting" ? "" : `simulated://${image}`,
    ...(phase.state === "waiting" ? {} : { containerID: id }),
    started: phase.state === "running",
  };
}

function stateOf(phase: ContainerLife["phase"], id: string): ContainerState {
  switch (phase.state) {
    case "waiting":
      return {
        waiting: { reason: phase.reason, ...(phase.message === undefined ? {} : { message: phase.message }) },
      };
    case "running":
      return { running: { startedAt: msToTime(phase.startedAtMs) } };
    case "terminated":
      return { terminated: terminatedState(phase, id) };
  }
}

function terminatedState(
  run: { readonly startedAtMs: number; readonly finishedAtMs: number; readonly exitCode: number },
  containerID: string,
): NonNullable<ContainerState["terminated"]> {
  return {
    exitCode: run.exitCode,
    reason: run.exitCode === 0 ? "Completed" : "Error",
    startedAt: msToTime(run.startedAtMs),
    finishedAt: msToTime(run.finishedAtMs),
    containerID,
  };
}

/** The events of containers that have started since the last look. Source: pkg/kubelet/events/event.go. */
function announce(known: SimulatedPod, story: Story): PodEvent[] {
  const events: PodEvent[] = [];
  const groups = [
    ["spec.initContainers", story.init],
    ["spec.containers", story.main],
    ["spec.ephemeralContainers", story.ephemeral],
  ] as const;
  for (const [path, containers] of groups) {
    for (const { container, life } of containers) {
      if (life.phase.state === "waiting" || known.announced.has(container.name)) continue;
      known.announced.add(container.name);
      const fieldPath = `${path}{${container.name}}`;
      const say = (reason: string, message: string): void => {
        events.push({ type: "Normal", reason, message, fieldPath });
      };
      say("Pulled", `Container image ${JSON.stringify(container.image ?? "")} already present on machine`);
      say("Created", "Container created");
      say("Started", "Container started");
    }
  }
  return events;
}
