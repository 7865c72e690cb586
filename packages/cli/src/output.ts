/** A piece of what people see: what the agent says to them, or what happens beside it. */
export interface Piece {
  readonly channel: "said" | "aside";
  readonly text: string;
  /** Whether it begins a line of its own. */
  readonly fresh?: boolean;
}

export const said = (text: string, fresh = false): Piece => ({ channel: "said", text, fresh });

/** A whole line beside the conversation. */
export const aside = (text: string): Piece => ({ channel: "aside", text: `${text}\n`, fresh: true });

/** Where text goes; it knows whether it stands in the middle of a line. */
export interface Output {
  readonly isInLine: boolean;
  write(text: string): void;
}

/** A stream as output. */
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

/** Writes text that begins a line of its own. */
export function writeFresh(output: Output, text: string): void {
  output.write(`${output.isInLine ? "\n" : ""}${text}`);
}

/** Where what is said and what happens beside it go: in order on one terminal, apart in a pipe. */
export type Outputs = Readonly<Record<Piece["channel"], Output>>;

/** Writes pieces where they belong. */
export function put(outputs: Outputs, pieces: readonly Piece[]): void {
  for (const { channel, text, fresh } of pieces) {
    if (text === "") continue;
    if (fresh) writeFresh(outputs[channel], text);
    else outputs[channel].write(text);
  }
}

/** Ends the lines that are being written. */
export function endLines({ said, aside }: Outputs): void {
  for (const output of new Set([said, aside])) writeFresh(output, "");
}
