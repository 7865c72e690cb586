import type { ContentBlock } from "@agentwire/protocol/messages";
import type { Config } from "../config/config.ts";
import { HostLink } from "../host/host-link.ts";
import { LongTermMemory } from "../memory/long-term-memory.ts";
import { toRequest } from "../model/anthropic-request.ts";
import type { ModelCall } from "../model/model.ts";
import { joined, plainPrompt } from "../prompt.ts";
import { assemble } from "../session/assemble.ts";
import type { SessionContext } from "../session/context.ts";
import { nextCall } from "../session/next-call.ts";
import { ready, start } from "../session/start.ts";
import { unstored } from "../store/jsonl.ts";
import type { Database } from "../store/sqlite/database.ts";
import { databaseStore } from "../store/sqlite/store.ts";
import { NO_QUEUE } from "../store/store.ts";
import { blocksOf, reminder } from "../turn/history.ts";
import { UsageError } from "../usage-error.ts";
import { ownSession } from "./session-name.ts";

/** What `--dump` prints: the request that the next prompt would send to the model. Nothing is sent or stored. */
export async function dump(
  config: Config,
  database: Database,
  complain: (text: string) => void,
): Promise<string> {
  const format = config.outputFormat ?? "json";
  if (format !== "json" && format !== "text") throw new UsageError(`--format ${format}: choose json or text`);
  const agent = await assemble(config, new HostLink(), complain, {
    store: {
      ...databaseStore(database, ownSession(config), config),
      queue: NO_QUEUE,
      transcript: ({ sessionId }) => unstored(sessionId),
    },
    memory: new LongTermMemory(database, 0),
  });
  if (agent.kind === "refused") throw new UsageError(agent.reason);
  try {
    const { signal } = new AbortController();
    const { context } = agent.session;
    await start(context, signal);
    await addPrompt(context, config.words.join(" "), signal);
    await ready(context, signal);
    const call = { ...nextCall(context), messages: context.history.messages };
    return format === "json" ? `${JSON.stringify(toRequest(call), null, 2)}\n` : asText(call);
  } finally {
    await agent.close();
  }
}

async function addPrompt(
  { intake, history }: Pick<SessionContext, "intake" | "history">,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  if (text === "") return;
  const { prompts, context, refusal } = await intake.take([plainPrompt(text)], signal);
  if (refusal) throw new UsageError("a hook blocks this prompt, so nothing would be sent");
  history.add("user", joined(prompts));
  history.add("user", context.map(reminder));
}

function asText({ model, system, tools, messages }: ModelCall): string {
  return [
    `# model: ${model}`,
    "# system",
    ...system,
    `# tools: ${tools.map(({ name }) => name).join(", ")}`,
    ...messages.flatMap(({ role, content }) => [`# ${role}`, ...blocksOf(content).map(blockAsText)]),
    "",
  ].join("\n\n");
}

const blockAsText = (block: ContentBlock) => (block.type === "text" ? block.text : JSON.stringify(block));
