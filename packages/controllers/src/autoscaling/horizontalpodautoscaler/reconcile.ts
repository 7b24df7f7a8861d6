/**
 * Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, reconcileAutoscaler.
 */
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerCondition, MetricStatus } from "@binnacle/api";
import { isNotFound, matchEveryLabel, msToTime, parseLabelSelector } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import type { DiscoveredResource, Discovery, Scale } from "@binnacle/client";
import type { ReconcileContext } from "@binnacle/controller-runtime";
import { horizontalPodAutoscalers, pods } from "../../resource-types.ts";
import { evaluateMetrics, MetricError } from "./evaluate.ts";
import { type History, limitReplicas, noHistory, remember } from "./limits.ts";
import { MetricsClient } from "./metrics-client.ts";

/** What the controller remembers, by the autoscaler's uid. */
export interface AutoscalerMemory {
  readonly histories: Map<string, History>;
  readonly discovery: Discovery;
}

/** One round of one autoscaler. */
export class AutoscalerRound {
  readonly #hpa: HorizontalPodAutoscaler;
  readonly #memory: AutoscalerMemory;
  readonly #context: ReconcileContext;
  #conditions: readonly HorizontalPodAutoscalerCondition[];
  #metrics: readonly MetricStatus[] | undefined;

  constructor(hpa: HorizontalPodAutoscaler, memory: AutoscalerMemory, context: ReconcileContext) {
    this.#hpa = hpa;
    this.#memory = memory;
    this.#context = context;
    this.#conditions = hpa.status?.conditions ?? [];
    this.#metrics = hpa.status?.currentMetrics;
  }

  async run(): Promise<void> {
    const { spec, status } = this.#hpa;
    let target: { type: DiscoveredResource; scale: Scale };
    try {
      target = await this.#readScale();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#event("Warning", "FailedGetScale", why);
      this.#set(
        "AbleToScale",
        "False",
        "FailedGetScale",
        `the HPA controller was unable to get the target's current scale: ${why}`,
      );
      return this.#write({ desiredReplicas: status?.desiredReplicas ?? 0 });
    }
    this.#set(
      "AbleToScale",
      "True",
      "SucceededGetScale",
      "the HPA controller was able to get the target's current scale",
    );
    const current = target.scale.spec.replicas ?? 0;
    const minReplicas = spec.minReplicas ?? 1;
    if (current === 0 && minReplicas !== 0) {
      const message = "scaling is disabled since the replica count of the target is zero";
      this.#set("ScalingActive", "False", "ScalingDisabled", message);
      return this.#write({ currentReplicas: current, desiredReplicas: 0 });
    }
    if (current > spec.maxReplicas)
      return this.#rescale(
        target,
        current,
        spec.maxReplicas,
        "Current number of replicas above Spec.MaxReplicas",
      );
    if (current < minReplicas)
      return this.#rescale(target, current, minReplicas, "Current number of replicas below Spec.MinReplicas");
    return this.#followMetrics(target, current);
  }

  async #followMetrics(target: { type: DiscoveredResource; scale: Scale }, current: number): Promise<void> {
    const { cache, clock, client } = this.#context;
    const namespace = this.#hpa.metadata.namespace ?? "";
    const selectorText = target.scale.status?.selector ?? "";
    if (selectorText === "") {
      const message = "selector is required";
      this.#event("Warning", "SelectorRequired", "");
      this.#set("ScalingActive", "False", "InvalidSelector", "the HPA target's scale is missing a selector");
      await this.#write({ currentReplicas: current });
      throw new Error(message);
    }
    const selector = selectorText === "" ? matchEveryLabel : parseLabelSelector(selectorText);
    let wanted: number;
    let reason: string;
    try {
      const evaluation = await evaluateMetrics({
        hpa: this.#hpa,
        namespace,
        selector,
        current,
        pods: cache.list(pods, { namespace, labelSelector: selector }),
        metrics: new MetricsClient(client.live),
        resourceOf: (apiVersion, kind) => this.#resourceOf(apiVersion, kind),
        nowMs: clock.now(),
      });
      wanted = evaluation.replicas;
      reason = wanted > current ? `${evaluation.name} above target` : "All metrics below target";
      this.#metrics = evaluation.statuses;
      const message = `the HPA was able to successfully calculate a replica count from ${evaluation.name}`;
      this.#set("ScalingActive", "True", "ValidMetricFound", message);
    } catch (error) {
      if (!(error instanceof MetricError)) throw error;
      const first = error.cause instanceof MetricError ? error.cause : error;
      this.#event("Warning", first.reason, first.message);
      this.#set(
        "ScalingActive",
        "False",
        first.reason,
        `the HPA was unable to compute the replica count: ${first.message}`,
      );
      this.#event("Warning", "FailedComputeMetricsReplicas", error.message);
      return this.#write({ currentReplicas: current });
    }
    const uid = this.#hpa.metadata.uid ?? "";
    // The size it starts with is its first recommendation.
    const history =
      this.#memory.histories.get(uid) ?? remember(this.#hpa, noHistory, current, 0, clock.now());
    const limited = limitReplicas(this.#hpa, current, wanted, history, clock.now());
    this.#memory.histories.set(uid, remember(this.#hpa, history, wanted, 0, clock.now()));
    this.#set("AbleToScale", "True", ...limited.ableToScale);
    this.#set("ScalingLimited", ...limited.scalingLimited);
    if (limited.replicas === current)
      return this.#write({ currentReplicas: current, desiredReplicas: current });
    return this.#rescale(target, current, limited.replicas, reason);
  }

  async #rescale(
    { type, scale }: { type: DiscoveredResource; scale: Scale },
    current: number,
    desired: number,
    reason: string,
  ): Promise<void> {
    const { client, clock } = this.#context;
    const { namespace = "" } = this.#hpa.metadata;
    try {
      const updated = { ...scale, spec: { ...scale.spec, replicas: desired } };
      await client.updateScale(type, { namespace, name: this.#hpa.spec.scaleTargetRef.name }, updated);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#event("Warning", "FailedRescale", `New size: ${desired}; reason: ${reason}; error: ${why}`);
      const message = `the HPA controller was unable to update the target scale: ${why}`;
      this.#set("AbleToScale", "False", "FailedUpdateScale", message);
      await this.#write({ currentReplicas: current });
      throw error;
    }
    this.#set(
      "AbleToScale",
      "True",
      "SucceededRescale",
      `the HPA controller was able to update the target scale to ${desired}`,
    );
    this.#event("Normal", "SuccessfulRescale", `New size: ${desired}; reason: ${reason}`);
    const uid = this.#hpa.metadata.uid ?? "";
    const history = this.#memory.histories.get(uid) ?? noHistory;
    this.#memory.histories.set(uid, remember(this.#hpa, history, undefined, desired - current, clock.now()));
    await this.#write({
      currentReplicas: current,
      desiredReplicas: desired,
      lastScaleTime: msToTime(clock.now()),
    });
  }

  async #readScale(): Promise<{ type: DiscoveredResource; scale: Scale }> {
    const { apiVersion = "", kind, name } = this.#hpa.spec.scaleTargetRef;
    const type = await this.#memory.discovery.forKind(apiVersion, kind);
    if (type === undefined)
      throw new Error(`no matches for kind "${kind}" in group "${apiVersion.split("/")[0]}"`);
    const { namespace = "" } = this.#hpa.metadata;
    return { type, scale: await this.#context.client.live.getScale(type, { namespace, name }) };
  }

  async #resourceOf(apiVersion: string, kind: string): Promise<string> {
    const type = await this.#memory.discovery.forKind(apiVersion, kind);
    if (type === undefined) throw new Error(`no matches for kind "${kind}"`);
    return type.group === "" ? type.resource : `${type.resource}.${type.group}`;
  }

  #set(type: string, status: string, reason: string, message: string): void {
    const present = this.#conditions.find((condition) => condition.type === type);
    const now = msToTime(this.#context.clock.now());
    const lastTransitionTime = present?.status === status ? (present.lastTransitionTime ?? now) : now;
    const updated = { type, status, lastTransitionTime, reason, message };
    this.#conditions =
      present === undefined
        ? [...this.#conditions, updated]
        : this.#conditions.map((each) => (each === present ? updated : each));
  }

  #event(type: "Normal" | "Warning", reason: string, message: string): void {
    this.#context.recorder.event(horizontalPodAutoscalers, this.#hpa, type, reason, message);
  }

  async #write(change: Partial<NonNullable<HorizontalPodAutoscaler["status"]>>): Promise<void> {
    const { status } = this.#hpa;
    const { currentMetrics: _, ...present } = status ?? { desiredReplicas: 0 };
    const metrics = this.#metrics;
    const merged = { ...present, ...change, conditions: [...this.#conditions] };
    const { currentReplicas = 0, ...others } = merged;
    const updated = {
      ...others,
      ...(currentReplicas === 0 ? {} : { currentReplicas }),
      ...(metrics === undefined || metrics === null ? {} : { currentMetrics: [...metrics] }),
    };
    const { currentMetrics: before, ...rest } = status ?? { desiredReplicas: 0 };
    if (
      jsonEquals(updated, {
        ...rest,
        ...(before === undefined || before === null ? {} : { currentMetrics: before }),
      })
    )
      return;
    try {
      await this.#context.client.updateStatus(horizontalPodAutoscalers, { ...this.#hpa, status: updated });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
