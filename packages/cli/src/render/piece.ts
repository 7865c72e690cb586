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
