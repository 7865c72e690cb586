import { readFile } from "node:fs/promises";
import { ModelError, readRetryAfter } from "@agentwire/models";
import { PlainHeaders } from "@agentwire/models/http";
import {
  type CallKind,
  type Frame,
  fits,
  InvalidScript,
  parseScript,
  playScript,
  type Script,
  type ScriptError,
} from "@agentwire/models/script";
import type { ApiEvent } from "@agentwire/protocol/messages";
import { UsageError } from "../usage-error.ts";
import { statusOfType } from "./anthropic-failure.ts";
import type { Model, ModelCall } from "./model.ts";
import { sleep } from "./sleep.ts";

/** Reads a script from a file; throws a `UsageError` if the file is missing or invalid. */
export async function loadScript(path: string): Promise<Script> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    throw new UsageError(`${path}: the script can't be read (${(cause as Error).message})`, { cause });
  }
  try {
    return parseScript(text);
  } catch (cause) {
    if (!(cause instanceof InvalidScript)) throw cause;
    throw new UsageError(`${path}: ${cause.message}`, { cause });
  }
}

/** A model that plays a script: for tests and demonstrations. */
export function scriptedModel(script: Script, variables: ReadonlyMap<string, string>): Model {
  const player = playScript(script, variables);
  return {
    async call(call, signal) {
      signal.throwIfAborted();
      const step = player.take(kindOf(call));
      const requestId = player.newId("req");
      if (step.expect && !fits(step.expect, requestOf(call)))
        throw new ModelError(
          400,
          "invalid_request_error",
          `the request lacks ${JSON.stringify(step.expect)}`,
        );
      if (step.delayBefore) await sleep(step.delayBefore, signal);
      if (step.type === "error") throw refusal(step, requestId);
      if (step.type === "reset")
        throw new ModelError(null, "connection_error", "the script lost the connection");
      return { requestId, events: play(player.frames(step, call.model), signal) };
    },
  };
}

function kindOf({ lane, tools, maxTokens }: ModelCall): CallKind {
  if (lane) return lane;
  if (maxTokens !== undefined && maxTokens <= 1) return "probe";
  return tools.length === 0 ? "side" : "turn";
}

/** The parts of a call that scripts may check, spelled as in the Messages API. */
const requestOf = ({ model, system, messages, tools, maxTokens }: ModelCall) => ({
  model,
  system: system.map((text) => ({ type: "text", text })),
  messages,
  tools,
  max_tokens: maxTokens,
});

function refusal({ status = 500, error, headers = {} }: ScriptError, requestId: string): ModelError {
  const retryAfterMs = readRetryAfter(new PlainHeaders(headers), Date.now());
  const message = error?.message ?? "Internal server error";
  return new ModelError(status, error?.type ?? "api_error", message, { requestId, retryAfterMs });
}

async function* play(frames: Iterable<Frame>, signal: AbortSignal): AsyncGenerator<ApiEvent> {
  for (const frame of frames) {
    signal.throwIfAborted();
    switch (frame.type) {
      case "event":
        if (frame.event.type !== "ping") yield frame.event;
        break;
      case "wait":
        await sleep(frame.ms, signal);
        break;
      case "stall":
        await aborted(signal);
        break;
      case "cut":
        throw new ModelError(null, "stream_cut", "the script cut the reply");
      case "fail":
        throw new ModelError(statusOfType(frame.error.type), frame.error.type, frame.error.message);
    }
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
