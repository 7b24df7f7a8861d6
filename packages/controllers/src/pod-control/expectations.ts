import type { Clock } from "@binnacle/base";

/** Source: kubernetes v1.36 pkg/controller/controller_utils.go, ExpectationsTimeout. */
const TIMEOUT_MS = 5 * 60 * 1000;

interface Expected {
  creations: number;
  readonly deletions: Set<string>;
  readonly since: number;
}

/**
 * What an owner has asked the server for and the cache has not shown yet. Until it has, counting pods in the cache
 * would create or delete too many. Keyed by the owner's uid, so that an owner of the same name starts anew.
 *
 * Source: kubernetes v1.36 pkg/controller/controller_utils.go, UIDTrackingControllerExpectations.
 */
export class Expectations {
  readonly #clock: Clock;
  readonly #byOwner = new Map<string, Expected>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** So many objects of this owner will appear, and the objects with these uids will go. */
  expect(ownerUid: string, creations: number, deletedUids: readonly string[]): void {
    this.#byOwner.set(ownerUid, { creations, deletions: new Set(deletedUids), since: this.#clock.now() });
  }

  /** So many objects of this owner will appear. */
  expectCreations(ownerUid: string, count: number): void {
    this.expect(ownerUid, count, []);
  }

  /** The objects with these uids will go. */
  expectDeletions(ownerUid: string, uids: readonly string[]): void {
    this.expect(ownerUid, 0, uids);
  }

  /** An object has appeared, or its creation has failed. */
  sawCreation(ownerUid: string, count = 1): void {
    const expected = this.#byOwner.get(ownerUid);
    if (expected !== undefined) expected.creations -= count;
  }

  /** An object has gone, is going, or could not be deleted. */
  sawDeletion(ownerUid: string, uid: string): void {
    this.#byOwner.get(ownerUid)?.deletions.delete(uid);
  }

  /** How long to wait at most before counting again; 0 when the cache shows all that was asked for. */
  waitMs(ownerUid: string): number {
    const expected = this.#byOwner.get(ownerUid);
    if (expected === undefined || (expected.creations <= 0 && expected.deletions.size === 0)) return 0;
    return Math.max(0, expected.since + TIMEOUT_MS - this.#clock.now());
  }

  /** The owner is gone. */
  forget(ownerUid: string): void {
    this.#byOwner.delete(ownerUid);
  }
}
