import { agentRequests, hostRequests } from "@agentwire/protocol/control";
import { HOOK_EVENTS } from "@agentwire/protocol/hooks";
import { agentMessages, hostMessages, systemMessage } from "@agentwire/protocol/messages";
import { at, textAt } from "../json-path.ts";
import type { TranscriptLine } from "../transcript.ts";

/** The kinds of things that the protocol names. */
export const SUBJECT_KINDS = [
  "request of the host",
  "request of the agent",
  "message of the agent",
  "message of the host",
  "hook event",
] as const;

/** A kind of thing that the protocol names. */
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** Everything that the protocol names: every request, message and hook event of its schemas. */
export const SUBJECTS: Readonly<Record<SubjectKind, readonly string[]>> = {
  "request of the host": Object.keys(hostRequests),
  "request of the agent": Object.keys(agentRequests),
  "message of the agent": [
    ...[...agentMessages.keys()].filter((type) => type !== "system"),
    ...[...systemMessage.table.keys()].map((subtype) => `system/${subtype}`),
  ],
  "message of the host": [...hostMessages.keys()],
  "hook event": HOOK_EVENTS,
};

/** What one line of a transcript exercises. */
export function subjectsOf({ dir, line }: TranscriptLine): readonly (readonly [SubjectKind, string])[] {
  const type = textAt(line, "type");
  if (type === undefined) return [];
  const isAgents = dir === "out";
  const subtype = textAt(line, "request", "subtype");
  const event = textAt(line, "request", "input", "hook_event_name") ?? textAt(line, "hook_event");
  const isSystem = isAgents && type === "system";
  const name = isSystem ? `system/${String(at(line, "subtype"))}` : type;
  return [
    [isAgents ? "message of the agent" : "message of the host", name],
    ...(subtype === undefined
      ? []
      : ([[isAgents ? "request of the agent" : "request of the host", subtype]] as const)),
    ...(event === undefined ? [] : ([["hook event", event]] as const)),
  ];
}
