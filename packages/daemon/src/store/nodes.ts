/** One of the daemons that use the same database. */
export interface NodeRow {
  /** Stays the same as long as the daemon's folder exists. */
  readonly id: string;
  /** A display name. */
  readonly name: string;
  /** Its address for other nodes, as `host:port`; empty while it does not listen yet. */
  readonly address: string;
  /** Its origin for clients; empty if it is not announced. */
  readonly clientAddress: string;
  readonly version: string;
  /** Whether it has sent a heartbeat recently. */
  readonly isAlive: boolean;
  /** Whether it accepts no more sessions. */
  readonly isDraining: boolean;
  /** How long it counts as alive without another heartbeat, in milliseconds; 0 if it is dead. */
  readonly leaseMs: number;
  /** How many agents it runs, and its limit. */
  readonly processes: number;
  readonly maxProcesses: number;
  /** How many of its sessions are not deleted. */
  readonly sessions: number;
}

/** The state that a node reports with each heartbeat. */
export interface NodeState
  extends Pick<NodeRow, "processes" | "maxProcesses" | "isDraining" | "clientAddress"> {}

/** State that every node caches in memory, and rereads when another one has changed it. */
export type SharedBook = "rules" | "tokens" | "budgets";

/** The node that a session belongs to. */
export interface Ownership {
  readonly owner: string;
  /** Whether any node can continue it. */
  readonly isShared: boolean;
}

/** The conversations of agents, line by line as agents write them, by the agents' ids. */
export interface Transcripts {
  /** Appends lines to a conversation, or to a file beside it; waits while the store can't be written. */
  append(agentSession: string, subpath: string, lines: readonly string[]): Promise<void>;
  load(agentSession: string, subpath: string): Promise<readonly string[]>;
  /** The paths of the files beside it. */
  subpaths(agentSession: string): Promise<readonly string[]>;
}

/** The files of a session after a turn, as a git bundle. */
export interface Snapshot {
  readonly commit: string;
  /** The checked-out commit and branch; empty for none. */
  readonly head: string;
  readonly branch: string;
  /** Whether it is complete; otherwise it needs the ones before it, back to a complete one. */
  readonly isWhole: boolean;
  readonly pack: Uint8Array;
  /** The session's folder, relative to the root of the checkout. */
  readonly prefix: string;
}

/** A stored snapshot, with the node that took it and the time. */
export interface StoredSnapshot extends Snapshot {
  readonly node: string;
  readonly takenMs: number;
}

/** The files of sessions after their turns. */
export interface Snapshots {
  /** Stores a snapshot; a complete one replaces all before it. From then on any node can take over the session. */
  keep(sessionId: string, snapshot: Snapshot): Promise<void>;
  /** The last one, and how many incremental ones there are. */
  last(sessionId: string): Promise<{ readonly last?: Omit<StoredSnapshot, "pack">; readonly steps: number }>;
  /** Records that this node now has the files of the last one. */
  claim(sessionId: string): Promise<void>;
  /** All snapshots needed to unpack the last one, in order. */
  load(sessionId: string): Promise<readonly StoredSnapshot[]>;
}

/** Writes that only nodes make. */
export type NodeWrite = AppendTranscript | KeepSnapshot | ClaimSnapshots;

interface ClaimSnapshots {
  readonly type: "claimSnapshots";
  readonly sessionId: string;
}

interface KeepSnapshot {
  readonly type: "keepSnapshot";
  readonly sessionId: string;
  readonly snapshot: Snapshot;
}

interface AppendTranscript {
  readonly type: "appendTranscript";
  readonly agentSession: string;
  readonly subpath: string;
  readonly lines: readonly string[];
}

/** The daemons that share a store, seen from one of them. */
export interface Nodes {
  /** The id of this daemon's node. */
  readonly id: string;
  /** The key by which nodes authenticate each other. */
  readonly key: Uint8Array;
  readonly transcripts: Transcripts;
  readonly snapshots: Snapshots;
  list(): Promise<readonly NodeRow[]>;
  /** Which node a session belongs to; undefined if there is no such session. */
  ownership(sessionId: string): Promise<Ownership | undefined>;
  /** Announces this node's address, and its state from now on. */
  announce(address: string, state: () => NodeState): Promise<void>;
  /** Gives a session of this node to another live one; false if it is not this node's, or the other node is not alive. */
  giveAway(sessionId: string, to: string): Promise<boolean>;
  /** Takes a session from a dead node, whatever its workspace; false if the owner is alive. */
  seize(sessionId: string): Promise<boolean>;
  /** Called with the sessions that were taken over from a dead node. */
  onTaken: (sessionIds: readonly string[]) => void;
  /** Called when this node has lost its lease: everything it runs has to end before the promise resolves. */
  onLost: () => Promise<void>;
  /** Called when this node is back, or may own sessions that it was not told about: its sessions continue. */
  onBack: () => void;
  /** Called when another node has changed something that this one caches. */
  onBook: (book: SharedBook) => void;
}
