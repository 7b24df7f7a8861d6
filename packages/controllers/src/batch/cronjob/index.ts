import { type ControllerDefinition, controllerFor } from "@binnacle/controller-runtime";
import { cronJobs, jobs } from "../../resource-types.ts";
import { reconcileCronJob } from "./reconcile.ts";

/** Starts Jobs at the times of CronJobs. */
export const cronJobController: ControllerDefinition = controllerFor(cronJobs)
  .owns(jobs)
  .withOptions({ concurrency: 5, eventSource: "cronjob-controller" })
  .reconcile(reconcileCronJob);
