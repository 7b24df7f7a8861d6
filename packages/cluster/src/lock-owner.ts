import { readFileSync } from "node:fs";

/** The process that runs a cluster. */
export interface LockOwner {
  readonly pid: number;
  /** Tells the process from a later one with the same number. Absent where the system has no such thing. */
  readonly processStart?: string;
  /** When the cluster was started, in ISO 8601. */
  readonly startedAt: string;
  /** Known as soon as the port is open. */
  readonly server?: string;
}

/** What to write into a lock for this very process. */
export function ownLock(startedAtMs: number): LockOwner {
  const processStart = processStartOf(process.pid);
  return {
    pid: process.pid,
    ...(processStart === undefined ? {} : { processStart }),
    startedAt: new Date(startedAtMs).toISOString(),
  };
}

/** Whether the owner of a lock still runs: the very process, not a later one with its number. */
export function isRunning(owner: LockOwner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false; // Node's errors carry a code.
  }
  const start = processStartOf(owner.pid);
  if (start === "dead") return false;
  return owner.processStart === undefined || start === undefined || start === owner.processStart;
}

/**
 * The boot and the tick in which a process started; `dead` for one that is over and not yet waited for; undefined
 * where there is no `/proc`.
 *
 * Source: proc_pid_stat(5), fields 3 (state) and 22 (starttime).
 */
export function processStartOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // The name before may hold anything.
    if (fields[0] === "Z" || fields[0] === "X") return "dead";
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}:${fields[19]}`;
  } catch {
    return undefined; // No /proc on this system, or it hides other people's processes.
  }
}
