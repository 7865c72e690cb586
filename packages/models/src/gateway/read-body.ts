import type { IncomingMessage } from "node:http";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import {
  array,
  boolean,
  either,
  faultIn,
  jsonObject,
  number,
  object,
  optional,
  string,
} from "@agentwire/protocol/schema";
import { MAX_DEPTH, nestsDeeperThan, parseJson } from "@agentwire/protocol/support";
import type { MessagesRequest, RequestMessage } from "../request.ts";
import { systemText } from "../translate/blocks.ts";
import { requestError } from "./error-reply.ts";

const content = either(string, array(jsonObject));

/** The shape that a Messages API request must have to be translated; all other fields pass through unchanged. */
const SHAPE = object({
  model: string,
  messages: array(object({ role: string, content })),
  max_tokens: optional(number),
  stream: optional(boolean),
  system: optional(content),
  tools: optional(array(object({ name: string }))),
  tool_choice: optional(jsonObject),
  thinking: optional(jsonObject),
  output_config: optional(jsonObject),
  metadata: optional(jsonObject),
  stop_sequences: optional(array(string)),
  temperature: optional(number),
  top_p: optional(number),
});

/** A request as received. */
export type GatewayRequest = MessagesRequest & { readonly stream?: boolean };

/** Reads the body of a request; throws the error for the client if it is invalid. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<GatewayRequest> {
  const body = parseJson(await readText(request, maxBytes));
  if (!isJsonObject(body)) throw invalid("the body is not a JSON object");
  if (nestsDeeperThan(body, MAX_DEPTH)) throw invalid("the body nests too deeply");
  const fault = faultIn(SHAPE, body, "request") ?? roleFault(body);
  if (fault !== undefined) throw invalid(fault.replace(/^request\./, ""));
  const asked = body as unknown as GatewayRequest;
  return { ...asked, messages: asked.messages.map(withoutSystemRole) };
}

/** Clients may send system messages within a conversation; other wires and most models accept only user messages there. */
function withoutSystemRole(message: RequestMessage | SystemMessage): RequestMessage {
  if (message.role !== "system") return message;
  const text = systemText({ system: message.content });
  return { role: "user", content: `<system-reminder>\n${text}\n</system-reminder>` };
}

interface SystemMessage {
  readonly role: "system";
  readonly content: string | readonly JsonObject[];
}

async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes)
      throw requestError(413, "request_too_large", `the request exceeds ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function roleFault({ messages }: JsonObject): string | undefined {
  const list = messages as readonly JsonObject[];
  if (list.length === 0) return "messages: at least one message is required";
  const odd = list.findIndex(({ role }) => !ROLES.includes(role));
  return odd < 0 ? undefined : `messages.${odd}.role should be one of ${ROLES.join(", ")}`;
}

const ROLES: readonly unknown[] = ["user", "assistant", "system"];

const invalid = (message: string) => requestError(400, "invalid_request_error", message);
