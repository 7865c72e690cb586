import { randomUUID } from "node:crypto";
import { MAX_TIMER_MS } from "@agentwire/protocol/support";
import type { Config } from "../config/config.ts";
import type { Prompt } from "../prompt.ts";
import type { Task, Tasks } from "../tasks/tasks.ts";
import type { Inbox } from "./inbox.ts";

/**
 * Waits for background tasks after the last prompt from outside: resolves when one has put something into the inbox, when none
 * runs any more, when the overall time limit is reached, or when the signal fires.
 */
export function backgroundWaiter(
  config: Config,
  inbox: Inbox,
  tasks: Tasks,
): (signal: AbortSignal) => Promise<void> {
  const { backgroundWaitMs: ceiling } = config;
  let deadline: number | undefined;
  return async (signal) => {
    deadline ??= ceiling === 0 ? Number.POSITIVE_INFINITY : performance.now() + ceiling;
    const late = new AbortController();
    const left = Math.max(0, deadline - performance.now());
    const timer = Number.isFinite(left)
      ? setTimeout(() => late.abort(), Math.min(left, MAX_TIMER_MS))
      : undefined;
    const enough = AbortSignal.any([signal, late.signal]);
    while (inbox.length === 0 && tasks.running().length > 0 && !enough.aborted)
      await Promise.race(tasks.running().map((task) => tasks.whenEnded(task, enough)));
    clearTimeout(timer);
  };
}

/**
 * The prompt that reports a finished task to the model: between two steps of a running turn if it `mayJoin` one, otherwise in a
 * separate turn.
 */
export function taskPrompt(
  { id, description, status, outputFile, runId }: Task,
  summary: string,
  mayJoin: boolean,
): Prompt {
  const told = [
    "<task-notification>",
    `Task ${id} (${description}) is ${status}. ${summary}`,
    `Its output is in ${outputFile}`,
    "</task-notification>",
  ];
  return {
    uuid: randomUUID(),
    named: false,
    content: told.join("\n"),
    priority: mayJoin ? "next" : "later",
    query: true,
    synthetic: true,
    verbatim: true,
    origin: { kind: "task-notification", ...(runId !== undefined && { runId }) },
  };
}
