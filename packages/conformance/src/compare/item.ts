/** Values to compare, by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a host relies on in one line, or in one block of it. */
export interface Item {
  /** Only items of the same kind can correspond. */
  readonly kind: string;
  /** Must be equal. */
  readonly hard: Fields;
  /** Should be equal. */
  readonly soft: Fields;
  /** The sequence it belongs to: lines that race with others are only compared with each other. */
  readonly lane: string;
  /** The line of the transcript that it comes from, counted from 1. */
  readonly line: number;
  /** The number of results before it. */
  readonly turn: number;
  /** The turn was aborted: its texts may be longer or shorter. */
  readonly aborted: boolean;
  /** Its position among the lines of a message. */
  readonly place: SortKey;
  /** Another agent may write it although the recording lacks it. */
  readonly optional: boolean;
}

/** What the order of lines depends on. */
export type SortKey =
  /** A line of a message of the main agent; `id` is unknown within a stream. */
  | { readonly of: "message"; readonly id?: string; readonly starts?: true; readonly opens?: string }
  /** The output of a tool, or of a subagent that a tool call started. */
  | { readonly of: "tool"; readonly tool?: string }
  /** Ends the previous message, whatever follows. */
  | { readonly of: "end" };

/** The lane of lines whose order counts. */
export const MAIN = "main";

/** An item before its position is known. */
export interface UnplacedItem {
  readonly kind: string;
  readonly hard?: Fields;
  readonly soft?: Fields;
  readonly lane?: string;
  readonly place?: SortKey;
  readonly optional?: true;
}
