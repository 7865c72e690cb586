import type { Readable, Writable } from "node:stream";
import { readPrompt } from "@agentwire/local/program";
import { type AgentMessage, encodeLine } from "@agentwire/protocol";
import type { Config } from "../config/config.ts";
import { HostLink } from "../host/host-link.ts";
import { plainPrompt } from "../prompt.ts";
import { assemble, type SessionDependencies } from "../session/assemble.ts";
import { UsageError } from "../usage-error.ts";
import { onSignals } from "./signals.ts";

/** Answers one prompt from the command line or stdin and prints it: as text, as the result's JSON, or as lines. */
export async function printAnswer(
  config: Config,
  input: Readable,
  output: Writable,
  complain: (text: string) => void,
  dependencies: SessionDependencies = {},
): Promise<number> {
  const format = config.outputFormat ?? "text";
  if (!["text", "json", "stream-json"].includes(format))
    throw new UsageError(`--output-format ${format}: choose text, json or stream-json`);
  const prompt = config.mode === "compact" ? COMPACT : await promptOf(config, input, complain);
  // A reader that stops early, as `head` does, is not an error.
  output.on("error", () => {});
  let last: AgentMessage | undefined;
  /** The text of each turn; background work that ends starts further turns. */
  const texts: string[] = [];
  // With --verbose, the JSON output has every message, not just the result.
  const all: string[] | undefined = format === "json" && config.verbose ? [] : undefined;
  const host = new HostLink((message) => {
    if (format === "stream-json") output.write(encodeLine(message));
    all?.push(encodeLine(message).trimEnd());
    const retry = format === "text" ? retryLine(message) : "";
    if (retry !== "") complain(retry);
    if (message.type !== "result") return;
    last = message;
    texts.push(message.result || message.errors?.join("\n") || "");
  });
  const agent = await assemble(config, host, complain, dependencies);
  if (agent.kind === "refused") {
    complain(`agentwire-agent: ${agent.reason}\n`);
    return 1;
  }
  const { session } = agent;
  const { inbox, deferredCall } = session.context;
  if (prompt === "" && !deferredCall.call) {
    await agent.close();
    throw new UsageError(NO_PROMPT);
  }
  inbox.add(plainPrompt(prompt));
  inbox.close();
  const signals = onSignals(process, session);
  const terminated = await Promise.race([session.serve(), signals.code]);
  signals.stop();
  if (terminated !== undefined) session.end();
  await agent.close();
  if (terminated !== undefined) return terminated;
  if (last?.type === "result" && format === "text")
    output.write(`${texts.filter(Boolean).join("\n\n") || (prompt === COMPACT ? "Compacted." : "")}\n`);
  if (all) output.write(`[${all.join(",")}]\n`);
  else if (last?.type === "result" && format === "json") output.write(encodeLine(last));
  return session.lastFailed ? 1 : 0;
}

/** Tells people waiting for the answer that a call is retried; empty for any other message. */
function retryLine(message: AgentMessage): string {
  if (message.type !== "system" || message.subtype !== "api_retry") return "";
  const { attempt, max_retries, retry_delay_ms, error, error_status, no_response } = message;
  const why = no_response
    ? "it took too long"
    : error_status === null
      ? "no connection"
      : `${error}, status ${error_status}`;
  const seconds = Math.max(1, Math.round(retry_delay_ms / 1000));
  return `agentwire-agent: the model did not answer (${why}); trying again in ${seconds} s (attempt ${attempt} of ${max_retries})\n`;
}

/** The prompt that `--compact` is short for. */
const COMPACT = "/compact";

async function promptOf(
  config: Config,
  input: Readable & { readonly isTTY?: boolean },
  complain: (text: string) => void,
): Promise<string> {
  const { text, isSilent } = await readPrompt(config.words, input);
  if (isSilent) complain("agentwire-agent: no input on stdin; continuing without it\n");
  // A session whose last call was deferred can continue without a prompt.
  const mayBeEmpty = config.resume !== undefined || config.continues;
  if (text === "" && !mayBeEmpty) throw new UsageError(NO_PROMPT);
  return text;
}

const NO_PROMPT = 'no prompt given: use agentwire-agent -p "your question", or pipe it in';
