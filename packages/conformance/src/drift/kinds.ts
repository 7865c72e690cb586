import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { at, textAt } from "../json-path.ts";
import type { Transcript } from "../transcript.ts";

/** A message of an agent, or the part of it with separate fields, and its kind. */
export interface KindOfMessage {
  readonly kind: string;
  readonly value: JsonObject;
}

/** Classifies what the agent wrote in a transcript as finely as hosts do. */
export function kindsIn(transcript: Transcript): readonly KindOfMessage[] {
  const asked = new Map<string, string>();
  return transcript.flatMap(({ dir, line }) => {
    if (!isJsonObject(line)) return [];
    if (dir === "out") return kindsOf(line, asked);
    const id = textAt(line, "request_id");
    if (line.type === "control_request" && id !== undefined)
      asked.set(id, textAt(line, "request", "subtype") ?? "");
    return [];
  });
}

function kindsOf(line: JsonObject, asked: ReadonlyMap<string, string>): readonly KindOfMessage[] {
  const type = textAt(line, "type") ?? "";
  switch (type) {
    case "system":
    case "result":
      return [{ kind: `${type}/${textAt(line, "subtype") ?? ""}`, value: line }];
    case "stream_event":
      return [{ kind: `${type}/${textAt(line, "event", "type") ?? ""}`, value: line }];
    case "control_request":
      return requestKinds(line);
    case "control_response":
      return responseKinds(line, asked);
    default:
      return [{ kind: type, value: line }];
  }
}

function requestKinds(line: JsonObject): readonly KindOfMessage[] {
  const { request } = line;
  if (!isJsonObject(request)) return [];
  const input = at(request, "input");
  const event = textAt(input, "hook_event_name");
  const kind = `control_request/${textAt(request, "subtype") ?? ""}`;
  if (event === undefined || !isJsonObject(input)) return [{ kind, value: request }];
  return [
    { kind, value: request },
    { kind: `hook/${event}`, value: input },
  ];
}

/** An answer has the kind of its request; an error has the same fields for every request. */
function responseKinds(line: JsonObject, asked: ReadonlyMap<string, string>): readonly KindOfMessage[] {
  const { response } = line;
  if (!isJsonObject(response)) return [];
  if (response.subtype !== "success") return [{ kind: "control_response/error", value: response }];
  const subtype = asked.get(textAt(response, "request_id") ?? "");
  if (subtype === undefined) return [];
  const payload = response.response;
  return [{ kind: `control_response/${subtype}`, value: isJsonObject(payload) ? payload : {} }];
}
