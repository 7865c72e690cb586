import type { McpSdkServerConfigWithInstance } from "@agentwire/host";

type Opaque =
  | AbortSignal
  | AbortController
  | McpSdkServerConfigWithInstance["instance"]
  | NodeJS.ReadableStream
  | NodeJS.WritableStream;

/** A type with every optional field required, all the way down: a field that only one side has would fit otherwise. */
type Full<T> = T extends Opaque
  ? T
  : T extends (...args: infer Args) => infer Result
    ? (...args: Full<Args>) => Full<Result>
    : T extends Promise<infer Value>
      ? Promise<Full<Value>>
      : T extends object
        ? { [Key in keyof T]-?: Full<T[Key]> }
        : T;

/** Fails to compile where a type can't be used for another. */
export type Fits<Given extends Wanted, Wanted> = Given;

/** True where each of two types can be used for the other, and neither has a field that the other lacks. */
export type Same<Ours, Theirs> = [Ours, Full<Ours>] extends [Theirs, Full<Theirs>]
  ? [Theirs, Full<Theirs>] extends [Ours, Full<Ours>]
    ? true
    : "theirs does not fit ours"
  : "ours does not fit theirs";
