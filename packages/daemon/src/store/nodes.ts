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
  readonly isShared: boolean;
}

/** The daemons that share a store, seen from one of them. */
export interface Nodes {
  /** The node that this daemon is. */
  readonly id: string;
  /** By this nodes prove themselves to each other. */
  readonly key: Uint8Array;
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
  /** Called when this node is back, or may have got sessions that it was not told of: those that are its own go on. */
  onBack: () => void;
  /** Called when another node has changed what this one keeps in memory. */
  onBook: (book: SharedBook) => void;
}
