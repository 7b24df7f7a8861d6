import { nextTurn } from "@binnacle/base";
import type { WatchFrame, WatchSink } from "../request/api-response.ts";
import type { AnswerStream } from "./http-answer.ts";

/** A watcher that leaves more than this unread is dropped: it would hold on to ever more events. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
/** So many watchers are written to before others - readers and writers of the API - have their turn. */
const WATCHERS_PER_TURN = 250;

/**
 * Writes events to the watchers of one server. A write is answered before its event goes out to a thousand watchers,
 * events that come meanwhile share a frame, and watchers that get the same events share the bytes.
 */
export class WatchWriter {
  #due: HttpWatchSink[] = [];
  #isRunning = false;
  readonly #join = createFrameJoiner();

  createSink(stream: AnswerStream): WatchSink {
    return new HttpWatchSink(stream, this.#join, (sink) => this.#add(sink));
  }

  #add(sink: HttpWatchSink): void {
    this.#due.push(sink);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#due.length > 0) {
      await nextTurn();
      const due = this.#due;
      this.#due = [];
      for (let i = 0; i < due.length; i++) {
        if (i > 0 && i % WATCHERS_PER_TURN === 0) await nextTurn();
        due[i]!.write();
      }
    }
    this.#isRunning = false;
  }
}

class HttpWatchSink implements WatchSink {
  readonly #stream: AnswerStream;
  readonly #join: FrameJoiner;
  readonly #schedule: (sink: HttpWatchSink) => void;
  #pending: WatchFrame[] = [];
  #pendingBytes = 0;
  #isScheduled = false;

  constructor(stream: AnswerStream, join: FrameJoiner, schedule: (sink: HttpWatchSink) => void) {
    this.#stream = stream;
    this.#join = join;
    this.#schedule = schedule;
  }

  send(frame: WatchFrame): boolean {
    const { isClosed, pendingBytes } = this.#stream;
    if (isClosed || pendingBytes + this.#pendingBytes > MAX_UNREAD_BYTES) return false;
    this.#pending.push(frame);
    this.#pendingBytes += frame.bytes().length;
    return true;
  }

  flush(): void {
    if (this.#isScheduled || this.#pending.length === 0) return;
    this.#isScheduled = true;
    this.#schedule(this);
  }

  /** Hands over what was flushed since the last time. */
  write(): void {
    this.#isScheduled = false;
    const frames = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    if (frames.length > 0 && !this.#stream.isClosed) this.#stream.write(this.#join(frames));
  }

  end(): void {
    this.write();
    if (!this.#stream.isClosed) this.#stream.end();
  }

  onClose(callback: () => void): void {
    this.#stream.onClose(callback);
  }
}

type FrameJoiner = (frames: readonly WatchFrame[]) => Uint8Array;

/** Joins frames into one piece; the same frames as the last time give the same piece. */
function createFrameJoiner(): FrameJoiner {
  let last: readonly WatchFrame[] = [];
  let joined: Uint8Array = new Uint8Array(0);
  return (frames) => {
    if (frames.length === 1) return frames[0]!.bytes();
    const isSame = frames.length === last.length && frames.every((frame, i) => frame === last[i]);
    if (!isSame) {
      last = frames;
      joined = Buffer.concat(frames.map((frame) => frame.bytes()));
    }
    return joined;
  };
}
