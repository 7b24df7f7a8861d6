import { StringDecoder } from "node:string_decoder";

/** Longer lines end the stream: no object the API accepts comes near. */
export const MAX_LINE_CHARACTERS: number = 64 * 1024 * 1024;

/**
 * Cuts a byte stream into lines and hands each over as soon as it is complete. Keeps at most one unfinished line;
 * throws when that grows beyond `maxCharacters`.
 */
export class LineSplitter {
  readonly #decoder = new StringDecoder("utf8");
  readonly #onLine: (line: string) => void;
  readonly #maxCharacters: number;
  #pieces: string[] = [];
  #length = 0;

  constructor(onLine: (line: string) => void, maxCharacters: number = MAX_LINE_CHARACTERS) {
    this.#onLine = onLine;
    this.#maxCharacters = maxCharacters;
  }

  push(chunk: Buffer): void {
    const text = this.#decoder.write(chunk);
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#pieces.push(text.slice(start, end));
      this.#flush();
      start = end + 1;
    }
    if (start === text.length) return;
    this.#pieces.push(text.slice(start));
    this.#length += text.length - start;
    if (this.#length > this.#maxCharacters)
      throw new RangeError(`a line of more than ${this.#maxCharacters} characters`);
  }

  /** The stream is over: an unfinished line counts. */
  end(): void {
    this.#pieces.push(this.#decoder.end());
    this.#flush();
  }

  #flush(): void {
    const line = this.#pieces.length === 1 ? this.#pieces[0]! : this.#pieces.join("");
    this.#pieces = [];
    this.#length = 0;
    if (line.trim() !== "") this.#onLine(line);
  }
}
