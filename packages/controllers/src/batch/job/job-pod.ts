import type { Container, Job, Pod, PodSpec } from "@binnacle/api";
import { podFromTemplate } from "../../pod-control/pod-from-template.ts";
import { jobs } from "../../resource-types.ts";
import { COMPLETION_INDEX, INDEX_FAILURES, TRACKING_FINALIZER } from "./job-pods.ts";

const INDEX_VARIABLE = "JOB_COMPLETION_INDEX";

/** A pod of a Job: with the tracking finalizer and, in an indexed Job, its index as name, label, annotation and variable. */
export function podOfJob(job: Job, { index, failures }: { index?: number; failures?: number }): Pod {
  const pod = podFromTemplate(job.spec.template, { type: jobs, object: job });
  const finalizers = [
    ...(pod.metadata.finalizers ?? []).filter((each) => each !== TRACKING_FINALIZER),
    TRACKING_FINALIZER,
  ];
  if (index === undefined) return { ...pod, metadata: { ...pod.metadata, finalizers } };
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      finalizers,
      generateName: `${job.metadata.name}-${index}-`,
      labels: { ...pod.metadata.labels, [COMPLETION_INDEX]: String(index) },
      annotations: {
        ...pod.metadata.annotations,
        [COMPLETION_INDEX]: String(index),
        ...(failures === undefined ? {} : { [INDEX_FAILURES]: String(failures) }),
      },
    },
    spec: withIndexVariable({ ...pod.spec, hostname: `${job.metadata.name}-${index}` }),
  };
}

function withIndexVariable(spec: PodSpec): PodSpec {
  const add = (container: Container): Container =>
    container.env?.some((variable) => variable.name === INDEX_VARIABLE)
      ? container
      : {
          ...container,
          env: [
            ...(container.env ?? []),
            {
              name: INDEX_VARIABLE,
              valueFrom: { fieldRef: { fieldPath: `metadata.labels['${COMPLETION_INDEX}']` } },
            },
          ],
        };
  return {
    ...spec,
    containers: spec.containers.map(add),
    ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(add) }),
  };
}
