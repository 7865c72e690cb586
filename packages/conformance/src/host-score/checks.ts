import { fits } from "@agentwire/models/script";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { hostMessages } from "@agentwire/protocol/messages";
import { show } from "../compare/compare.ts";
import { at } from "../json-path.ts";
import type { TranscriptLine } from "../transcript.ts";
import type { Check, HostRun } from "./host-scenario.ts";

/** The host ends with success. */
export const succeeds: Check = ({ exit }) => (exit === 0 ? undefined : `exit is ${show(exit)}, not 0`);

/** The host ends and reports the failure with its exit code. */
export const fails: Check = ({ exit, timedOut }) =>
  exit === 0 || timedOut ? "the agent failed, but the host reports success" : undefined;

/** The host prints exactly these results. */
export const prints =
  (...texts: readonly string[]): Check =>
  ({ printed }) =>
    JSON.stringify(printed) === JSON.stringify(texts)
      ? undefined
      : `it prints ${show(printed)}, not ${show(texts)}`;

/** The host writes a line that contains at least these fields. */
export const writes =
  (pattern: JsonObject): Check =>
  (run) =>
    heard(run).some((line) => fits(pattern, line)) ? undefined : `it never writes ${show(pattern)}`;

/** The host answers this request of the agent exactly once, in time, with such an answer. */
export const answers =
  (request_id: string, response: JsonObject, withinMs = 5000): Check =>
  ({ transcript }) => {
    const asked = transcript.find(({ dir, line }) => dir === "out" && at(line, "request_id") === request_id);
    const found = transcript.filter(isAnswerTo(request_id));
    const [answer] = found;
    if (asked === undefined) return `the conversation never reached ${request_id}`;
    if (answer === undefined) return `${request_id} is never answered`;
    if (found.length > 1) return `${request_id} is answered ${found.length} times`;
    if (answer.t - asked.t > withinMs) return `${request_id} is answered after ${answer.t - asked.t} ms`;
    const given = at(answer.line, "response");
    return fits(response, given) ? undefined : `${request_id} gets ${show(given)}, not ${show(response)}`;
  };

/** The host keeps the agent's stdin open until this request is answered. */
export const staysOpenFor =
  (request_id: string): Check =>
  ({ transcript }) => {
    const end = transcript.findIndex(({ eof }) => eof === true);
    const answer = transcript.findIndex(isAnswerTo(request_id));
    return answer >= 0 && (end < 0 || answer < end)
      ? undefined
      : `stdin is closed before ${request_id} is answered`;
  };

/** The host ends soon after it has received everything it wanted. */
export const endsWithin =
  (ms: number): Check =>
  (run) =>
    run.ms <= ms ? undefined : `it takes ${run.ms} ms to end; the limit is ${ms} ms`;

/** Checks for every program that drives agents, whatever the wire. */
export const ENDS: readonly Check[] = [
  ({ timedOut }) => (timedOut ? "it does not end" : undefined),
  ({ leftOver }) => (leftOver.length > 0 ? `it leaves ${leftOver.join(", ")} running` : undefined),
];

/** Checks for every host in every scenario. */
export const ALWAYS: readonly Check[] = [
  ...ENDS,
  ({ transcript }) => {
    const wrong = transcript.find((entry) => entry.dir === "in" && !entry.eof && !isMessage(entry));
    return wrong === undefined ? undefined : `it writes ${show(wrong.line)}, which is not a message`;
  },
  (run) => {
    const requests = heard(run).filter(({ type }) => type === "control_request");
    const ids = new Set(requests.map(({ request_id }) => request_id));
    return ids.size === requests.length ? undefined : "it uses a request id twice";
  },
];

function isMessage({ raw, line }: TranscriptLine): boolean {
  return !raw && isJsonObject(line) && hostMessages.get(String(line.type))?.accepts(line) === true;
}

const isAnswerTo =
  (request_id: string) =>
  ({ dir, line }: TranscriptLine) =>
    dir === "in" &&
    at(line, "type") === "control_response" &&
    at(line, "response", "request_id") === request_id;

function heard({ transcript }: HostRun): readonly JsonObject[] {
  return transcript.flatMap(({ dir, line }) => (dir === "in" && isJsonObject(line) ? [line] : []));
}
