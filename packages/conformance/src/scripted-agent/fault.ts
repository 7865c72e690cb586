import { ScriptError, type Step } from "./step.ts";

/** A kind of failure, and the line of the agent at which it happens, counted from 1. */
export interface Fault {
  readonly kind: FaultKind;
  readonly at: number;
}

const FAULTS = {
  /** Kills the agent without warning instead of sending the line. */
  crash: () => [{ kill: "SIGKILL" }],
  /** Exits with a failure code instead of sending the line. */
  exit: () => [{ exit: 3 }],
  /** Stops reading and writing before the line. */
  freeze: () => [{ freeze: true }],
  /** Writes something that is not a message before the line. */
  noise: (line, next) => [{ write: "Warning: something that is not JSON\n" }, ...line, ...next],
  /** Kills the agent in the middle of the line. */
  half: ([line]) => [{ write: halfOf(line) }, { kill: "SIGKILL" }],
  /** Sends the line after the next one. */
  swap: (line, [after, ...rest]) => [...(after ? [after] : []), ...line, ...rest],
  /** Never sends the line. */
  drop: (_line, next) => next,
  /** Sends the line twice. */
  twice: (line, next) => [...line, ...line, ...next],
} as const satisfies Record<string, (line: readonly Step[], next: readonly Step[]) => readonly Step[]>;

/** The name of a failure. */
export type FaultKind = keyof typeof FAULTS;

/** Reads `kind@line`, as in `crash@3`. */
export function parseFault(text: string): Fault {
  const [, kind = "", at = ""] = /^([a-z]+)@([1-9]\d{0,8})$/.exec(text) ?? [];
  if (!Object.hasOwn(FAULTS, kind))
    throw new ScriptError(
      `${text}: a fault is one of ${Object.keys(FAULTS).join(", ")}, then @ and which line, as in crash@3`,
    );
  return { kind: kind as FaultKind, at: Number(at) };
}

/** The script with a failure at one of the agent's lines; unchanged if it has fewer lines. */
export function withFault(steps: readonly Step[], { kind, at }: Fault): readonly Step[] {
  let said = 0;
  const place = steps.findIndex((step) => "say" in step && ++said === at);
  if (place < 0) return steps;
  return [...steps.slice(0, place), ...FAULTS[kind](steps.slice(place, place + 1), steps.slice(place + 1))];
}

function halfOf(step: Step | undefined): string {
  const text = JSON.stringify(step && "say" in step ? step.say : {});
  return text.slice(0, Math.ceil(text.length / 2));
}
