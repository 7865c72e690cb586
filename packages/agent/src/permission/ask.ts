import type { JsonObject } from "@agentwire/protocol";
import { type PermissionResult, readPermissionResult } from "@agentwire/protocol/permission";
import { errorMessage } from "@agentwire/protocol/support";
import { untilAborted } from "../abort.ts";
import type { CanUseTool } from "./can-use-tool.ts";

/** Sends a question to the host; aborting the signal withdraws it. Rejects when the host answers with an error or is gone. */
export type AskHost = (request: CanUseTool, signal: AbortSignal) => Promise<unknown>;

/** Puts a question to the PermissionRequest hooks; undefined when none of them has an opinion. */
export type AskHooks = (request: CanUseTool, signal: AbortSignal) => Promise<JsonObject | undefined>;

/** How a question ended. */
export type Answer =
  | { readonly from: "host" | "hook"; readonly result: PermissionResult }
  | { readonly from: "failure"; readonly reason: string }
  | { readonly from: "nobody" }
  | { readonly from: "abort" };

/** The parties that may answer a question. */
export interface Answerers {
  readonly host?: AskHost;
  readonly hooks?: AskHooks;
}

/** Asks host and hooks in parallel: the first answer counts and the other question is withdrawn. Never rejects. */
export async function askFirst(
  { host, hooks }: Answerers,
  request: CanUseTool,
  signal: AbortSignal,
): Promise<Answer> {
  if (signal.aborted) return { from: "abort" };
  const decided = new AbortController();
  const open = AbortSignal.any([signal, decided.signal]);
  const answers = [
    ...(host ? [askHost(host, request, open)] : []),
    ...(hooks ? [askHooks(hooks, request, open)] : []),
  ];
  try {
    return await untilAborted(firstOf(answers), signal, () => ({ from: "abort" }));
  } finally {
    decided.abort();
  }
}

async function askHost(ask: AskHost, request: CanUseTool, signal: AbortSignal): Promise<Answer> {
  try {
    return { from: "host", result: readPermissionResult(await ask(request, signal)) };
  } catch (error) {
    return { from: "failure", reason: errorMessage(error) };
  }
}

async function askHooks(
  ask: AskHooks,
  request: CanUseTool,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  try {
    const answer = await ask(request, signal);
    return answer && { from: "hook", result: readPermissionResult(answer) };
  } catch {
    // A hook that fails has no opinion.
    return undefined;
  }
}

function firstOf(answers: readonly Promise<Answer | undefined>[]): Promise<Answer> {
  return new Promise((resolve) => {
    const all = answers.map((answer) => answer.then((found) => found && resolve(found)));
    void Promise.all(all).then(() => resolve({ from: "nobody" }));
  });
}

/** A place in a queue. */
export interface QueueTicket {
  /** Settles when everyone ahead has left. */
  readonly ready: Promise<void>;
  /** Admits the next one; may be called early, and must be called. */
  readonly leave: () => void;
}

/** Lets callers through one at a time, in the order in which they entered. */
export class QuestionQueue {
  #last: Promise<void> = Promise.resolve();

  enter(): QueueTicket {
    const ready = this.#last;
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#last = ready.then(() => left);
    return { ready, leave };
  }
}
