import { type Clock, sleep } from "@binnacle/base";
import { isRunning, type LockOwner } from "@binnacle/cluster";

/** How often a process that is not ours to wait for is looked at. */
const LOOK_MS = 25;

/** Asks a process to end and waits until it has. False when it has not within the time. */
export async function stopProcess(owner: LockOwner, clock: Clock, timeoutMs: number): Promise<boolean> {
  if (!isRunning(owner)) return true;
  process.kill(owner.pid, "SIGTERM");
  const deadline = clock.now() + timeoutMs;
  while (isRunning(owner)) {
    if (clock.now() >= deadline) return false;
    await sleep(clock, LOOK_MS); // The system tells only parents when a process ends.
  }
  return true;
}
