import { type Activity, nextTurn } from "@binnacle/base";

/**
 * Resolves when nothing is under way and nothing began during a whole turn of the event loop: no request, no queued key,
 * no undelivered event. Pending timers are not work; a virtual clock fires them when it is advanced.
 */
export async function settle(activity: Activity): Promise<void> {
  let begun = -1;
  for (;;) {
    await activity.whenIdle();
    await nextTurn();
    if (activity.isIdle && activity.begun === begun) return;
    begun = activity.begun;
  }
}
