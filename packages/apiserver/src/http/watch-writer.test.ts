import { nextTurn } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { sharedFrame, type WatchFrame } from "../request/api-response.ts";
import type { AnswerStream } from "./http-answer.ts";
import { WatchWriter } from "./watch-writer.ts";

class FakeStream implements AnswerStream {
  readonly written: Uint8Array[] = [];
  pendingBytes = 0;
  isClosed = false;
  isEnded = false;

  head(): void {}
  write(bytes: Uint8Array): void {
    this.written.push(bytes);
  }
  end(): void {
    this.isEnded = true;
  }
  onClose(): void {}

  get text(): string {
    return Buffer.concat(this.written).toString();
  }
}

function frame(text: string): WatchFrame {
  return sharedFrame(
    "ADDED",
    () => text,
    () => Buffer.from(`${text}\n`),
  );
}

describe("the writer to watchers", () => {
  it("writes what was flushed, after the running turn and in one piece", async () => {
    const stream = new FakeStream();
    const sink = new WatchWriter().createSink(stream);
    sink.send(frame("a"));
    sink.flush();
    sink.send(frame("b"));
    sink.flush();
    expect(stream.written).toEqual([]);
    await nextTurn();
    expect(stream.written).toHaveLength(1);
    expect(stream.text).toBe("a\nb\n");
    sink.send(frame("c"));
    sink.flush();
    await nextTurn();
    await nextTurn();
    expect(stream.text).toBe("a\nb\nc\n");
  });

  it("shares the bytes among watchers of the same events, and only among them", async () => {
    const writer = new WatchWriter();
    const streams = [new FakeStream(), new FakeStream(), new FakeStream()] as const;
    const [a, b] = [frame("a"), frame("b")];
    for (const [stream, frames] of [
      [streams[0], [a, b]],
      [streams[1], [a, b]],
      [streams[2], [b, a]],
    ] as const) {
      const sink = writer.createSink(stream);
      for (const each of frames) sink.send(each);
      sink.flush();
    }
    await nextTurn();
    expect(streams.map(({ text }) => text)).toEqual(["a\nb\n", "a\nb\n", "b\na\n"]);
    expect(streams[1].written[0]).toBe(streams[0].written[0]);
  });

  it("refuses more for a reader that leaves too much unread, be it flushed or not", () => {
    const stream = new FakeStream();
    const sink = new WatchWriter().createSink(stream);
    const large = frame("x".repeat(9 * 1024 * 1024));
    expect(sink.send(large)).toBe(true);
    stream.pendingBytes = 8 * 1024 * 1024;
    expect(sink.send(large)).toBe(false);
  });

  it("hands over everything before it ends, and nothing once the reader is gone", async () => {
    const writer = new WatchWriter();
    const [ending, gone] = [new FakeStream(), new FakeStream()];
    const [endingSink, goneSink] = [writer.createSink(ending), writer.createSink(gone)];
    for (const sink of [endingSink, goneSink]) {
      sink.send(frame("last"));
      sink.flush();
    }
    endingSink.end();
    gone.isClosed = true;
    await nextTurn();
    expect(ending.text).toBe("last\n");
    expect(ending.isEnded).toBe(true);
    expect(gone.written).toEqual([]);
    expect(goneSink.send(frame("more"))).toBe(false);
  });

  it("gives others their turn between many watchers", async () => {
    const writer = new WatchWriter();
    const streams = Array.from({ length: 600 }, () => new FakeStream());
    for (const stream of streams) {
      const sink = writer.createSink(stream);
      sink.send(frame("e"));
      sink.flush();
    }
    const written: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      await nextTurn();
      written.push(streams.filter(({ text }) => text !== "").length);
    }
    expect(written).toEqual([250, 500, 600, 600]);
  });
});
