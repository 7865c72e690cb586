/** A piece of output for people: the agent's text (`said`) or anything else (`aside`). */
export interface Piece {
  readonly channel: "said" | "aside";
  readonly text: string;
  /** Whether it starts on a new line. */
  readonly fresh?: boolean;
}

export const said = (text: string, fresh = false): Piece => ({ channel: "said", text, fresh });

/** A whole line that is not part of the agent's text. */
export const aside = (text: string): Piece => ({ channel: "aside", text: `${text}\n`, fresh: true });

/** A destination for text that tracks whether the cursor is in the middle of a line. */
export interface Output {
  readonly isInLine: boolean;
  write(text: string): void;
}

/** Wraps a stream as an `Output`. */
export function outputOf(stream: { write(text: string): unknown }): Output {
  let isInLine = false;
  return {
    get isInLine() {
      return isInLine;
    },
    write(text) {
      stream.write(text);
      isInLine = !text.endsWith("\n");
    },
  };
}

/** Writes text that starts on a new line. */
export function writeFresh(output: Output, text: string): void {
  output.write(`${output.isInLine ? "\n" : ""}${text}`);
}

/** The outputs of both channels: interleaved on one terminal, separate when piped. */
export type Outputs = Readonly<Record<Piece["channel"], Output>>;

/** Writes each piece to its channel. */
export function put(outputs: Outputs, pieces: readonly Piece[]): void {
  for (const { channel, text, fresh } of pieces) {
    if (text === "") continue;
    if (fresh) writeFresh(outputs[channel], text);
    else outputs[channel].write(text);
  }
}

/** Ends any unfinished lines. */
export function endLines({ said, aside }: Outputs): void {
  for (const output of new Set([said, aside])) writeFresh(output, "");
}
