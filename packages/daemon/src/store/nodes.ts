/** A daemon among those that use the same database. */
export interface NodeRow {
  /** The same for as long as the folder of the daemon is. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** Where the other nodes reach it, as `host:port`; empty while it does not listen yet. */
  readonly address: string;
  /** Where clients reach it, as an origin; empty if they are not told. */
  readonly clientAddress: string;
  readonly version: string;
  /** Whether it has given a sign of life of late. */
  readonly isAlive: boolean;
  /** Whether it takes no more sessions. */
  readonly isDraining: boolean;
  /** For how long it counts as alive without another sign of life, in milliseconds; 0 if it does not. */
  readonly leaseMs: number;
  /** How many agents run there, and how many may. */
  readonly processes: number;
  readonly maxProcesses: number;
  /** How many sessions belong to it that are not deleted. */
  readonly sessions: number;
}

/** What a node says of itself with each sign of life. */
export interface NodeState
  extends Pick<NodeRow, "processes" | "maxProcesses" | "isDraining" | "clientAddress"> {}

/** What is kept in memory by every node, and is read again when one of them has changed it. */
export type SharedBook = "rules" | "tokens" | "budgets";

/** Which node a session belongs to. */
export interface Ownership {
  readonly owner: string;
  /** Whether any node can continue it. */
  readonly isShared: boolean;
}

/** The conversations of agents, line by line as agents write them, by the ids that agents give them. */
export interface Transcripts {
  /** Adds lines to a conversation, or to what stands beside it under a path; they wait while the store can't be written. */
  append(agentSession: string, subpath: string, lines: readonly string[]): Promise<void>;
  load(agentSession: string, subpath: string): Promise<readonly string[]>;
  /** The paths under which something stands beside it. */
  subpaths(agentSession: string): Promise<readonly string[]>;
}

/** The files of a session after a turn, as a bundle of git's. */
export interface Snapshot {
  readonly commit: string;
  /** The commit and the branch that were checked out; empty for none. */
  readonly head: string;
  readonly branch: string;
  /** Whether it stands alone; otherwise it needs those before it, back to one that does. */
  readonly isWhole: boolean;
  readonly pack: Uint8Array;
  /** The folder of the session below the root of the checkout. */
  readonly prefix: string;
}

/** A snapshot that is kept, with the node that has taken it, and when. */
export interface StoredSnapshot extends Snapshot {
  readonly node: string;
  readonly takenMs: number;
}

/** The files of sessions, as they were after turns. */
export interface Snapshots {
  /** Keeps a snapshot; one that stands alone takes the place of all before it. The session can be taken up by any node from then on. */
  keep(sessionId: string, snapshot: Snapshot): Promise<void>;
  /** The last one, and how many need those before them. */
  last(sessionId: string): Promise<{ readonly last?: Omit<StoredSnapshot, "pack">; readonly steps: number }>;
  /** This node has the files of the last one now. */
  claim(sessionId: string): Promise<void>;
  /** All that it takes to lay out the last one, in order. */
  load(sessionId: string): Promise<readonly StoredSnapshot[]>;
}

/** What is written by nodes alone. */
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
  /** The node that this daemon is. */
  readonly id: string;
  /** By this nodes prove themselves to each other. */
  readonly key: Uint8Array;
  readonly transcripts: Transcripts;
  readonly snapshots: Snapshots;
  list(): Promise<readonly NodeRow[]>;
  /** Which node a session belongs to; undefined if there is no such session. */
  ownership(sessionId: string): Promise<Ownership | undefined>;
  /** Says where this node is reached, and how it is from now on. */
  announce(address: string, state: () => NodeState): Promise<void>;
  /** Gives a session of this node to another one that is alive; false if it is not this node's, or the other is not there. */
  giveAway(sessionId: string, to: string): Promise<boolean>;
  /** Takes a session from a node that is dead, whatever its workspace is; false if the owner is alive. */
  seize(sessionId: string): Promise<boolean>;
  /** Called with sessions of a dead node that are this one's now. */
  onTaken: (sessionIds: readonly string[]) => void;
  /** Called when nothing of this node counts any more: everything that runs has to end before the promise resolves. */
  onLost: () => Promise<void>;
  /** Called when this node is back, or may have got sessions that it was not told of: those that are its own continue. */
  onBack: () => void;
  /** Called when another node has changed what this one keeps in memory. */
  onBook: (book: SharedBook) => void;
}
