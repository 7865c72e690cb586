import type { Dialect, Translation } from "../../src/dialect/dialect.ts";
import type { JsonObject } from "../../src/json.ts";
import { encodeLine } from "../../src/lines/encode.ts";
import { LineSplitter } from "../../src/lines/lines.ts";
import { Malformed } from "../../src/lines/malformed.ts";
import { parseLine } from "../../src/lines/parse.ts";
import type { AgentMessage, HostMessage } from "../../src/message.ts";
import type { TalkLine } from "./fixtures.ts";
import { remembering } from "./hearing.ts";

/** A host and an agent that speak a dialect over real lines. */
export interface Wire {
  /** All lines so far, in order. */
  readonly lines: TalkLine[];
  readonly agentHeard: HostMessage[];
  readonly hostHeard: AgentMessage[];
  /** The host sends a canonical message. */
  hostSays(message: HostMessage): void;
  /** The agent sends a canonical message. */
  agentSays(message: AgentMessage): void;
  /** The host's program writes bytes directly, bypassing the translation. */
  hostWrites(text: string): void;
}

/** Connects both ends of a dialect. */
export function openWire(dialect: Dialect): Wire {
  const host = dialect.forHost();
  const agent = dialect.forAgent();
  const lines: TalkLine[] = [];
  const agentHeard: HostMessage[] = [];
  const hostHeard: AgentMessage[] = [];

  const toHost = carrier("agent", host, hostHeard, lines, () => {
    throw new Error("a host has nothing to write back");
  });
  const toAgent = carrier("host", agent, agentHeard, lines, (value) => toHost(encodeLine(value)));

  return {
    lines,
    agentHeard,
    hostHeard,
    hostWrites: toAgent,
    hostSays: (message) => say(host, message, hostHeard, toAgent),
    agentSays: (message) => say(agent, message, agentHeard, toHost),
  };
}

/** The id of the last request that the agent received. */
export function lastAsked({ agentHeard }: Wire): string {
  const asked = agentHeard.findLast((message) => message.type === "control_request");
  return asked?.type === "control_request" ? asked.request_id : "";
}

/** Writes a message; anything the end reports to its own program meanwhile is recorded there. */
function say<In, Out>(
  end: Translation<In, Out>,
  message: Out,
  inbox: In[],
  carry: (text: string) => void,
): void {
  const { heard, sink } = remembering<In>();
  for (const value of end.encode(message, sink)) carry(encodeLine(value));
  inbox.push(...heard.messages);
}

/** Delivers text to the end that reads it, and that end's replies back. */
function carrier<In, Out>(
  from: TalkLine["from"],
  end: Translation<In, Out>,
  inbox: In[],
  lines: TalkLine[],
  reply: (value: unknown) => void,
): (text: string) => void {
  const splitter = new LineSplitter();
  return (text) => {
    for (const line of splitter.push(Buffer.from(text))) {
      const value = parseLine(line);
      if (!(value instanceof Malformed)) lines.push({ from, line: value as JsonObject });
      const { heard, sink } = remembering<In>();
      if (value instanceof Malformed) heard.faults.push(value);
      else end.decode(value, sink);
      inbox.push(...heard.messages);
      for (const answer of heard.replies) reply(answer);
      for (const fault of heard.faults) for (const refusal of end.refuse?.(fault) ?? []) reply(refusal);
    }
  };
}

/** What the agent has written so far. */
export const agentLines = ({ lines }: Wire): readonly JsonObject[] =>
  lines.filter(({ from }) => from === "agent").map(({ line }) => line);
