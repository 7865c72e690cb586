import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { ContentBlock } from "@agentwire/protocol/messages";
import { toBlock } from "./content.ts";
import type { KeepFile } from "./keep-file.ts";
import type { ListedPrompt } from "./listing.ts";
import type { Server } from "./server.ts";
import { qualifiedName } from "./tool-names.ts";

/** A prompt of a server, usable as a slash command. */
export interface McpPrompt {
  readonly name: string;
  readonly description: string;
  /** What to type after the name, shown to people. */
  readonly argumentHint: string;
  /** Requests the prompt from the server. `argumentText` is what the user typed after the name, one word per argument. */
  messages(argumentText: string, keep: KeepFile, signal: AbortSignal): Promise<readonly PromptMessage[]>;
}

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly ContentBlock[];
}

/** The prompts of one server. */
export function serverPrompts(server: Server): readonly McpPrompt[] {
  return server.offer.prompts.flatMap((listed) => {
    const name = qualifiedName(server.name, listed.name);
    if (name === undefined) return [];
    const argumentHint = listed.arguments.map((argument) => hint(argument)).join(" ");
    return [
      {
        name,
        description: listed.description,
        argumentHint,
        messages: async (argumentText, keep, signal) => {
          const params = { name: listed.name, arguments: readArguments(listed, argumentText) };
          const result = await server.request("prompts/get", params, { signal });
          return await readMessages(result, server.name, keep);
        },
      },
    ];
  });
}

function hint({ name, required }: ListedPrompt["arguments"][number]): string {
  return required ? `<${name}>` : `[${name}]`;
}

/** Assigns the words in order; the last argument gets all remaining words. */
function readArguments(listed: ListedPrompt, argumentText: string): JsonObject {
  const words = argumentText.split(/\s+/).filter((word) => word !== "");
  const last = listed.arguments.length - 1;
  const given = listed.arguments.flatMap(({ name }, index) => {
    const value = index === last ? words.slice(index).join(" ") : (words[index] ?? "");
    return value === "" ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

async function readMessages(
  result: JsonObject,
  server: string,
  keep: KeepFile,
): Promise<readonly PromptMessage[]> {
  const given: readonly unknown[] = Array.isArray(result.messages) ? result.messages : [];
  const messages: PromptMessage[] = [];
  for (const message of given) {
    if (!isJsonObject(message)) continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    messages.push({ role, content: [await toBlock(message.content, server, keep)] });
  }
  return messages;
}
