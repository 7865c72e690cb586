import type { McpSdkServerConfigWithInstance } from "@agentwire/host";

type Opaque =
  | AbortSignal
  | AbortController
  | McpSdkServerConfigWithInstance["instance"]
  | NodeJS.ReadableStream
  | NodeJS.WritableStream;

/** A type with all optional fields required, at every depth: otherwise a field that only one side has would be accepted. */
type Full<T> = T extends Opaque
  ? T
  : T extends (...args: infer Args) => infer Result
    ? (...args: Full<Args>) => Full<Result>
    : T extends Promise<infer Value>
      ? Promise<Full<Value>>
      : T extends object
        ? { [Key in keyof T]-?: Full<T[Key]> }
        : T;

/** Fails to compile if a type is not assignable to another. */
export type Fits<Given extends Wanted, Wanted> = Given;

/** True if each of two types is assignable to the other, and neither has a field that the other lacks. */
export type Same<Ours, Theirs> = [Ours, Full<Ours>] extends [Theirs, Full<Theirs>]
  ? [Theirs, Full<Theirs>] extends [Ours, Full<Ours>]
    ? true
    : "theirs does not fit ours"
  : "ours does not fit theirs";
