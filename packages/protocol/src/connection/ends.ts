import { readAgentRequest, readHostRequest } from "../control/read.ts";
import type { RequestTable } from "../control/request-table.ts";
import { agentRequests, hostRequests } from "../control/tables.ts";
import { claude } from "../dialect/claude.ts";
import type { Dialect } from "../dialect/dialect.ts";
import type { AgentMessage, HostMessage } from "../message.ts";
import { Connection } from "./connection.ts";
import type { ConnectionOptions } from "./options.ts";

type HostRequests = typeof hostRequests;
type AgentRequests = typeof agentRequests;

type EndOptions<
  In,
  Out,
  Asks extends RequestTable,
  Answers extends RequestTable,
  Side extends keyof Dialect,
> = Omit<
  ConnectionOptions<In, Out, Asks, Answers>,
  "translation" | "asks" | "readRequest" | "messagesFirst"
> & {
  /** The peer's dialect; the official wire by default. */
  readonly dialect?: Pick<Dialect, Side>;
};

/** What a host provides to connect. */
export type AgentConnectionOptions = EndOptions<
  AgentMessage,
  HostMessage,
  HostRequests,
  AgentRequests,
  "forHost"
>;

/** What an agent provides to connect. */
export type HostConnectionOptions = EndOptions<
  HostMessage,
  AgentMessage,
  AgentRequests,
  HostRequests,
  "forAgent"
>;

/** A host's connection to its agent. */
export type AgentConnection = Connection<AgentMessage, HostMessage, HostRequests, AgentRequests>;

/** An agent's connection to its host. */
export type HostConnection = Connection<HostMessage, AgentMessage, AgentRequests, HostRequests>;

/** Connects a host to the agent whose output is `input`. */
export function connectToAgent(options: AgentConnectionOptions): AgentConnection {
  const { dialect = claude, ...rest } = options;
  return new Connection({
    ...rest,
    translation: dialect.forHost(),
    // A host's program sees what an agent says before it gets the agent's questions about it; with `take`
    // that order is automatic. An agent handles prompts and requests as they arrive.
    messagesFirst: !rest.take,
    asks: hostRequests,
    readRequest: readAgentRequest,
  });
}

/** Connects an agent to the host whose output is `input`. */
export function connectToHost(options: HostConnectionOptions): HostConnection {
  const { dialect = claude, ...rest } = options;
  return new Connection({
    ...rest,
    translation: dialect.forAgent(),
    asks: agentRequests,
    readRequest: readHostRequest,
  });
}
