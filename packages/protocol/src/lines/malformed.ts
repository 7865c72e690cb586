/** What can be wrong with a line before its meaning is considered. */
export type FaultCode =
  | "too_long"
  | "invalid_utf8"
  | "not_json"
  | "not_an_object"
  | "too_deep"
  | "no_type"
  | "unreadable";

/** A line that is not a message: the peer's mistake, as a value. */
export class Malformed {
  readonly code: FaultCode;
  /** What is wrong, as text for people. */
  readonly reason: string;
  /** The beginning of the line. */
  readonly head: string;

  constructor(code: FaultCode, reason: string, line: string) {
    this.code = code;
    this.reason = reason;
    this.head = copy(line.slice(0, HEAD_LENGTH));
  }
}

const HEAD_LENGTH = 256;

// A slice would keep the whole line in memory as long as the fault is kept.
const copy = (text: string) => Buffer.from(text, "utf16le").toString("utf16le");
