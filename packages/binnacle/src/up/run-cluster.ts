import { StopStack } from "@binnacle/base";
import { applyManifests, DataDirectory, type RunningCluster, startServedCluster } from "@binnacle/cluster";
import type { Terminal } from "../terminal.ts";
import { createLogFile } from "./log-file.ts";
import { createProgress, type Progress, type Step } from "./progress.ts";
import type { UpPlan } from "./read-flags.ts";
import { watchCounts } from "./watch-counts.ts";

/** Source: 128 + SIGINT, what a shell reports for an interrupted program. */
const INTERRUPTED = 130;

/**
 * Starts a cluster and runs it until an interrupt. Resolves when everything has stopped; rejects with one clear
 * sentence when it could not start. A second interrupt ends the process at once.
 */
export async function runCluster(plan: UpPlan, terminal: Terminal): Promise<void> {
  const stack = new StopStack();
  const steps: Step[] = ["keys", "store", "apiserver", "components"];
  if (plan.manifests.length > 0) steps.push("manifests");
  const directory = await DataDirectory.open(plan.cluster.dataDirectory);
  const progress = createProgress(terminal, { name: plan.cluster.name, steps });
  const interrupt = listenForInterrupt(terminal, () => progress.stopping());
  stack.add(() => interrupt.stopListening());
  stack.add(() => progress.close());
  try {
    const log = createLogFile(directory.logPath, terminal.clock);
    stack.use(log);
    const cluster = await startServedCluster({
      ...plan.cluster,
      clock: terminal.clock,
      logger: log.logger,
      onProgress: (step) => {
        if (step !== "components") progress.done(step);
      },
    });
    stack.use(cluster);
    await Promise.race([finishStart(plan, cluster, progress, terminal), interrupt.requested]);
    if (!interrupt.isRequested) {
      if (terminal.isInteractive) {
        stack.use(watchCounts(cluster.client, terminal.clock, (counts) => progress.counts(counts)));
      }
      await interrupt.requested;
    }
  } catch (error) {
    progress.close();
    throw error;
  } finally {
    await stack.stop();
  }
}

async function finishStart(
  plan: UpPlan,
  cluster: RunningCluster,
  progress: Progress,
  terminal: Terminal,
): Promise<void> {
  await cluster.componentsReady;
  progress.done("components");
  const { manifests } = plan;
  if (manifests.length > 0) {
    let count = 0;
    await applyManifests(cluster.client, manifests, {
      clock: terminal.clock,
      onApplied: () => progress.detail("manifests", `${++count} of ${manifests.length} applied`),
    });
    progress.done("manifests", `${count} applied`);
  }
  const address = { url: cluster.url, kubeconfig: cluster.kubeconfigPath };
  progress.ready(address);
  terminal.tellParent?.({ kind: "ready", ...address });
}

function listenForInterrupt(
  terminal: Terminal,
  onFirst: () => void,
): { readonly requested: Promise<void>; readonly isRequested: boolean; stopListening(): void } {
  let isRequested = false;
  let resolve: () => void = () => {};
  const requested = new Promise<void>((done) => {
    resolve = done;
  });
  const stopListening = terminal.onInterrupt(() => {
    if (isRequested) terminal.abandon(INTERRUPTED);
    isRequested = true;
    onFirst();
    resolve();
  });
  return {
    requested,
    get isRequested() {
      return isRequested;
    },
    stopListening,
  };
}
