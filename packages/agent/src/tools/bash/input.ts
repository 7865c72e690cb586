import type { JsonObject } from "@agentwire/protocol";

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;

/** The input of a Bash call. */
export interface BashInput {
  readonly command: string;
  /** A short description; the command itself if the model gave none. */
  readonly description: string;
  readonly timeoutMs: number;
  readonly isBackground: boolean;
  /** Whether the model wants it to run outside the sandbox. */
  readonly wantsOut: boolean;
}

/** The input schema for the model. */
export const bashInputSchema: JsonObject = {
  type: "object",
  properties: {
    command: { type: "string", description: "The command to run" },
    timeout: {
      type: "number",
      description: `Milliseconds after which the command is stopped (default ${DEFAULT_TIMEOUT_MS}, at most ${MAX_TIMEOUT_MS})`,
    },
    description: { type: "string", description: "What the command does, in five to ten words" },
    run_in_background: {
      type: "boolean",
      description: "Return at once and let the command run on; you are told when it ends",
    },
    dangerouslyDisableSandbox: {
      type: "boolean",
      description: "Run the command outside the sandbox, where there is one; the user is asked first",
    },
  },
  required: ["command"],
  additionalProperties: false,
};

/** Reads a checked input. */
export function readBashInput(input: JsonObject): BashInput {
  const command = typeof input.command === "string" ? input.command : "";
  const timeout = typeof input.timeout === "number" && input.timeout > 0 ? input.timeout : DEFAULT_TIMEOUT_MS;
  return {
    command,
    description:
      typeof input.description === "string" && input.description !== "" ? input.description : command,
    timeoutMs: Math.min(timeout, MAX_TIMEOUT_MS),
    isBackground: input.run_in_background === true,
    wantsOut: input.dangerouslyDisableSandbox === true,
  };
}

const LEADING_SLEEP = /^\s*sleep\s+(\d+)[ \t]*(?:$|\n|;|\||&&)/;
const LONGEST_SECONDS = 25;

/** Whether a command starts with `sleep`: letting it continue in the background would be pointless. */
export function beginsWithSleep(command: string): boolean {
  return /^\s*sleep(?:\s|$)/.test(command);
}

/** Why a command that starts with a long `sleep` is refused: the conversation would have to wait for it. */
export function refuseSleep(command: string): string | undefined {
  const seconds = Number(LEADING_SLEEP.exec(command)?.[1] ?? 0);
  if (seconds < LONGEST_SECONDS) return undefined;
  return (
    `Blocked: the command begins with a sleep of ${seconds} s, and nothing else can happen meanwhile. ` +
    "Start what you wait for with run_in_background: true and you are told when it ends, " +
    "or run a loop that checks a condition (`until <check>; do sleep 1; done`) in the background."
  );
}
