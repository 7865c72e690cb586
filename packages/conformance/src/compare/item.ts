/** Values that are compared, by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a host relies on in one line, or in one block of it. */
export interface Item {
  /** Only items of the same kind can correspond. */
  readonly kind: string;
  /** Must be equal. */
  readonly hard: Fields;
  /** Should be equal. */
  readonly soft: Fields;
  /** The sequence it belongs to: lines that race with others are compared among themselves. */
  readonly lane: string;
  /** Which line of the transcript it comes from, counted from 1. */
  readonly line: number;
  /** How many results came before it. */
  readonly turn: number;
  /** The turn was stopped: its texts may be longer or shorter. */
  readonly aborted: boolean;
  /** Where it stands among the lines of a message. */
  readonly place: SortKey;
  /** Another agent may have it although the recording has none. */
  readonly optional: boolean;
}

/** What the order of lines depends on. */
export type SortKey =
  /** A line of a message of the main agent; `id` is unknown inside of a stream. */
  | { readonly of: "message"; readonly id?: string; readonly starts?: true; readonly opens?: string }
  /** What a tool does, or a subagent that a tool call started. */
  | { readonly of: "tool"; readonly tool?: string }
  /** Ends the message before it, whatever comes next. */
  | { readonly of: "end" };

/** The lane of lines whose order counts. */
export const MAIN = "main";

/** An item before its surroundings are known. */
export interface UnplacedItem {
  readonly kind: string;
  readonly hard?: Fields;
  readonly soft?: Fields;
  readonly lane?: string;
  readonly place?: SortKey;
  readonly optional?: true;
}
