/**
 * Runs `count` calls in batches of 1, 2, 4, …: when the server refuses, few have been tried. Stops after the first
 * batch with a failure.
 *
 * Source: kubernetes v1.36 pkg/controller/replicaset/replica_set.go, slowStartBatch.
 */
export async function slowStart(
  count: number,
  call: (index: number) => Promise<void>,
): Promise<{ readonly succeeded: number; readonly failure?: unknown }> {
  let succeeded = 0;
  let started = 0;
  for (let batch = 1; started < count; batch *= 2) {
    const size = Math.min(batch, count - started);
    const first = started;
    const results = await Promise.allSettled(Array.from({ length: size }, (_, i) => call(first + i)));
    started += size;
    succeeded += results.filter((result) => result.status === "fulfilled").length;
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) return { succeeded, failure: failed.reason };
  }
  return { succeeded };
}
