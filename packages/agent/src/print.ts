import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { type AgentMessage, encodeLine } from "@agentwire/protocol";
import { assemble } from "./assemble.ts";
import { type Config, UsageError } from "./config.ts";
import { HostLink } from "./host-link.ts";

/** Answers one prompt from the command line or stdin and prints it: as text, as the result's JSON, or as lines. */
export async function printAnswer(
  config: Config,
  input: Readable,
  output: Writable,
  complain: (text: string) => void,
): Promise<number> {
  const format = config.flags.text("output-format") ?? "text";
  if (!["text", "json", "stream-json"].includes(format))
    throw new UsageError(`--output-format ${format}: choose text, json or stream-json`);
  const prompt = await promptOf(config, input);
  let last: AgentMessage | undefined;
  const host = new HostLink((message) => {
    if (format === "stream-json") output.write(encodeLine(message));
    if (message.type === "result") last = message;
  });
  const agent = await assemble(config, host, complain);
  if (agent.kind === "refused") {
    complain(`agentwire-agent: ${agent.result.errors?.join(" ") ?? "the session can't be opened"}\n`);
    return 1;
  }
  const { session } = agent.runtime;
  session.parts.inbox.add({
    uuid: randomUUID(),
    named: false,
    content: prompt,
    priority: "next",
    query: true,
    synthetic: false,
    verbatim: false,
  });
  agent.inputEnded();
  const interrupt = () => session.interrupt();
  process.on("SIGINT", interrupt);
  await session.serve();
  process.off("SIGINT", interrupt);
  await agent.close();
  if (last?.type === "result" && format === "text")
    output.write(`${last.result ?? last.errors?.join("\n") ?? ""}\n`);
  if (last?.type === "result" && format === "json") output.write(encodeLine(last));
  return session.lastFailed ? 1 : 0;
}

async function promptOf(config: Config, input: Readable & { readonly isTTY?: boolean }): Promise<string> {
  const words = [config.flags.text("print"), ...config.flags.words]
    .filter((word) => word !== undefined && word !== "")
    .join(" ");
  const piped = input.isTTY ? "" : await textOf(input);
  const prompt = [words, piped.trim()].filter(Boolean).join("\n\n");
  if (prompt === "")
    throw new UsageError('say what you want: agentwire-agent -p "your question", or pipe it in');
  return prompt;
}

async function textOf(input: Readable): Promise<string> {
  let text = "";
  for await (const chunk of input.setEncoding("utf8")) text += chunk;
  return text;
}
