import { setTimeout as pause } from "node:timers/promises";
import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Identity } from "../access/identity.ts";
import { DaemonError } from "../errors.ts";
import type { Nodes } from "../store/nodes.ts";
import { asHeader } from "./forwarded.ts";
import type { Peer, Peers } from "./peers.ts";

/** How long a call waits for another node to take over the session of a dead one. */
const PATIENCE_MS = 15_000;
const LOOK_MS = 100;
/** How many sessions of other nodes are remembered. */
const MAX_KNOWN = 10_000;

/** Where a session is: at this node, at another one, or at one that is dead. */
export type Place = "here" | Peer | Dead;

/** A session whose node is dead. */
export interface Dead {
  readonly owner: string;
  /** Whether another node is about to take it over. */
  readonly isShared: boolean;
}

/** A call to the owner of a session. */
interface ForwardedCall<I extends DescMessage, O extends DescMessage> {
  readonly sessionId: string;
  readonly method: DescMethodUnary<I, O>;
  readonly message: MessageInitShape<I>;
  readonly header: Headers;
  readonly identity: Identity;
  readonly signal: AbortSignal;
  /** Whether it is idempotent, so that it may be sent again after the connection was lost. */
  readonly isRepeatable: boolean;
}

/** Forwards calls for sessions of other nodes to those nodes. */
export class Forwarder {
  readonly #nodes: Nodes;
  readonly #peers: Peers;
  readonly #isHere: (sessionId: string) => boolean;
  /** The owners of sessions elsewhere; a stale entry is detected when that node is called. */
  readonly #owners = new Map<string, string>();

  /** `isHere` is true for sessions in memory, for which the store need not be asked. */
  constructor(nodes: Nodes, peers: Peers, isHere: (sessionId: string) => boolean) {
    this.#nodes = nodes;
    this.#peers = peers;
    this.#isHere = isHere;
  }

  /** Where a session is. One that does not exist counts as "here", where the call then fails. */
  async placeOf(sessionId: string): Promise<Place> {
    if (this.#isHere(sessionId)) return "here";
    const known = this.#owners.get(sessionId);
    const peer = known === undefined ? undefined : await this.#peers.find(known);
    if (peer) return peer;
    const found = await this.#nodes.ownership(sessionId);
    if (!found || found.owner === this.#nodes.id) return "here";
    const { owner, isShared } = found;
    if (this.#owners.size >= MAX_KNOWN) this.#owners.clear();
    this.#owners.set(sessionId, owner);
    return (await this.#peers.find(owner)) ?? { owner, isShared };
  }

  /** Forgets where a session is, because it may have moved. */
  forget(sessionId: string): void {
    this.#owners.delete(sessionId);
    this.#peers.forget();
  }

  /** Forwards a call to the owner of a session; undefined if that is this node. */
  async call<I extends DescMessage, O extends DescMessage>(
    call: ForwardedCall<I, O>,
  ): Promise<MessageShape<O> | undefined> {
    const { sessionId, signal } = call;
    for (const until = performance.now() + PATIENCE_MS; ; ) {
      const place = await this.placeOf(sessionId);
      if (place === "here") return undefined;
      if ("owner" in place) {
        if (!place.isShared || performance.now() > until) throw await this.#down(place);
      } else
        try {
          return await this.ask(place, call);
        } catch (error) {
          if (!this.#isWorthRetrying(error, call) || performance.now() > until) throw error;
        }
      this.forget(sessionId);
      await pause(LOOK_MS, undefined, { signal });
    }
  }

  /** Forwards a call to a node. */
  async ask<I extends DescMessage, O extends DescMessage>(
    { calls }: Peer,
    { method, message, header, identity, signal }: Omit<ForwardedCall<I, O>, "sessionId" | "isRepeatable">,
  ): Promise<MessageShape<O>> {
    const passedOn = asHeader(header, identity);
    try {
      return (await calls.unary(method, signal, undefined, passedOn, message)).message;
    } catch (error) {
      // Drops the metadata: headers of the other node's response, such as its content type, do not apply to this one's.
      throw error instanceof ConnectError ? new ConnectError(error.rawMessage, error.code) : error;
    }
  }

  /** The error for a session whose node is dead. */
  async #down({ owner }: Dead): Promise<DaemonError> {
    const name = (await this.#peers.all()).find(({ id }) => id === owner)?.name ?? owner;
    return new DaemonError(
      "NODE_DOWN",
      `this session belongs to the node ${name}, which is not running: start it, or take over the session with agentwire sessions move`,
    );
  }

  #isWorthRetrying(error: unknown, { signal, isRepeatable }: { signal: AbortSignal; isRepeatable: boolean }) {
    if (signal.aborted || !(error instanceof ConnectError)) return false;
    if (error.rawMessage.startsWith("SESSION_ELSEWHERE: ")) return true;
    // A message that begins with a daemon error code is an answer of the other node, not a broken connection.
    return isRepeatable && BROKEN.has(error.code) && !/^[A-Z_]+: /.test(error.rawMessage);
  }
}

const BROKEN: ReadonlySet<Code> = new Set([Code.Unavailable, Code.Aborted, Code.Internal, Code.Canceled]);
