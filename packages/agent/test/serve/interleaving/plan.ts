import type { ScriptStep } from "@agentwire/models/script";
import fc from "fast-check";
import { bash } from "../../model-source.ts";

/** An action of a host. */
export type Move =
  | {
      readonly do: "prompt";
      readonly named: boolean;
      readonly priority: "now" | "next" | "later" | undefined;
      readonly silent: boolean;
    }
  | { readonly do: "command"; readonly text: string; readonly named: boolean }
  /** Sends a named prompt again: the one this many before the newest. */
  | { readonly do: "repeat"; readonly ago: number }
  | { readonly do: "interrupt"; readonly cancelQueued: boolean }
  | { readonly do: "cancel"; readonly ago: number }
  /** Answers all deferred questions, including withdrawn ones. */
  | { readonly do: "catch up" }
  | { readonly do: "wait"; readonly until: Moment };

/** What a host may wait for, for a short time. */
export type Moment = "tick" | "init" | "assistant" | "question" | "tool_result" | "result";

/** A host's answer to a permission question. */
export type Reply = "allow" | "deny" | "deny and stop" | "late" | "never";

/** What the model does in one step. */
export type StepKind = keyof typeof STEPS;

/** A planned conversation between host, agent and model. */
export interface Plan {
  readonly moves: readonly Move[];
  readonly replies: readonly Reply[];
  readonly steps: readonly StepKind[];
  /** How it ends: the host closes its end, or asks a last question. */
  readonly closes: boolean;
}

const asked = bash("touch asked");
const STEPS = {
  text: { text: "Fine." },
  slow: { text: "one two three four five", chunkSize: 4, chunkDelay: 3 },
  late: { text: "At last.", delayBefore: 12 },
  stall: { text: "never to be finished", chunkSize: 4, stallAfterChunks: 2 },
  ask: { content: [asked] },
  "ask twice": { content: [{ type: "text", text: "Two things." }, asked, asked] },
  read: { content: [{ type: "tool_use", name: "Read", input: { file_path: "{{cwd}}/note" } }] },
  "read and ask": {
    content: [{ type: "tool_use", name: "Read", input: { file_path: "{{cwd}}/note" } }, asked],
  },
  work: { content: [bash("sleep 0.02")] },
  fail: { type: "error", status: 403, error: { type: "permission_error", message: "no" } },
} as const satisfies Readonly<Record<string, ScriptStep>>;

/** The step of a kind, as the scripted API plays it. */
export function stepOf(kind: StepKind): ScriptStep {
  return STEPS[kind];
}

const weighted = <T>(...items: readonly (readonly [number, T])[]) =>
  fc.oneof(...items.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));

const priority = weighted<"now" | "next" | "later" | undefined>(
  [6, undefined],
  [1, "next"],
  [2, "later"],
  [1, "now"],
);
/** How many named prompts ago. */
const ago = weighted([4, 0], [2, 1], [1, 2], [1, 5]);
const moment = weighted<Moment>(
  [3, "tick"],
  [2, "init"],
  [3, "assistant"],
  [3, "question"],
  [2, "tool_result"],
  [1, "result"],
);

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("prompt" as const),
      named: weighted([3, true], [1, false]),
      priority,
      silent: weighted([9, false], [1, true]),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("command" as const),
      text: weighted([3, "/cost"], [2, "/context"], [1, "/clear"]),
      named: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("repeat" as const), ago }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("interrupt" as const), cancelQueued: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("cancel" as const), ago }) },
  { weight: 1, arbitrary: fc.constant<Move>({ do: "catch up" }) },
  { weight: 7, arbitrary: fc.record({ do: fc.constant("wait" as const), until: moment }) },
);

const step = weighted<StepKind>(
  [2, "text"],
  [3, "slow"],
  [2, "late"],
  [1, "stall"],
  [4, "ask"],
  [2, "ask twice"],
  [1, "read"],
  [2, "read and ask"],
  [3, "work"],
  [1, "fail"],
);

/** Any conversation; it ends the process if `closes` says so. */
export function plans(closes: boolean): fc.Arbitrary<Plan> {
  return fc.record({
    moves: fc.array(move, { minLength: 2, maxLength: 18, size: "max" }),
    replies: fc.array(
      weighted<Reply>([5, "allow"], [2, "deny"], [1, "deny and stop"], [2, "late"], [1, "never"]),
      { maxLength: 5 },
    ),
    steps: fc.array(step, { maxLength: 10, size: "max" }),
    closes: fc.constant(closes),
  });
}
