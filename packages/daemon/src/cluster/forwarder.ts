import { setTimeout as pause } from "node:timers/promises";
import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Identity } from "../access/identity.ts";
import { DaemonError } from "../errors.ts";
import type { Nodes } from "../store/nodes.ts";
import { asHeader } from "./forwarded.ts";
import type { Peer, Peers } from "./peers.ts";

/** How long a call waits for a node to take over a session whose own is dead. */
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

/** A call for the owner of a session. */
interface ForwardedCall<I extends DescMessage, O extends DescMessage> {
  readonly sessionId: string;
  readonly method: DescMethodUnary<I, O>;
  readonly message: MessageInitShape<I>;
  readonly header: Headers;
  readonly identity: Identity;
  readonly signal: AbortSignal;
  /** Whether it may be sent again when the connection was lost: doing it twice is like doing it once. */
  readonly isRepeatable: boolean;
}

/** Passes calls for sessions of other nodes on to them. */
export class Forwarder {
  readonly #nodes: Nodes;
  readonly #peers: Peers;
  readonly #isHere: (sessionId: string) => boolean;
  /** The owners of sessions elsewhere; one that is wrong shows when it is asked. */
  readonly #owners = new Map<string, string>();

  /** `isHere` tells of sessions in memory, for which the store need not be asked. */
  constructor(nodes: Nodes, peers: Peers, isHere: (sessionId: string) => boolean) {
    this.#nodes = nodes;
    this.#peers = peers;
    this.#isHere = isHere;
  }

  /** Where a session is; one that does not exist counts as being here, where that is said. */
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

  /** The session may have moved. */
  forget(sessionId: string): void {
    this.#owners.delete(sessionId);
    this.#peers.forget();
  }

  /** What the owner of a session answers; undefined if that is this node. */
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
          if (!this.#isWorthAnother(error, call) || performance.now() > until) throw error;
        }
      this.forget(sessionId);
      await pause(LOOK_MS, undefined, { signal });
    }
  }

  /** What a node answers. */
  async ask<I extends DescMessage, O extends DescMessage>(
    { calls }: Peer,
    { method, message, header, identity, signal }: Omit<ForwardedCall<I, O>, "sessionId" | "isRepeatable">,
  ): Promise<MessageShape<O>> {
    const passedOn = asHeader(header, identity);
    try {
      return (await calls.unary(method, signal, undefined, passedOn, message)).message;
    } catch (error) {
      // The headers of the other node's answer, its content type among them, are not those of this one's.
      throw error instanceof ConnectError ? new ConnectError(error.rawMessage, error.code) : error;
    }
  }

  /** What a client is told of a session whose node is dead. */
  async #down({ owner }: Dead): Promise<DaemonError> {
    const name = (await this.#peers.all()).find(({ id }) => id === owner)?.name ?? owner;
    return new DaemonError(
      "NODE_DOWN",
      `this session belongs to the node ${name}, which is not running: start it, or take the session with agentwire sessions move`,
    );
  }

  #isWorthAnother(error: unknown, { signal, isRepeatable }: { signal: AbortSignal; isRepeatable: boolean }) {
    if (signal.aborted || !(error instanceof ConnectError)) return false;
    if (error.rawMessage.startsWith("SESSION_ELSEWHERE: ")) return true;
    // What the other node has said begins with a code of its own.
    return isRepeatable && BROKEN.has(error.code) && !/^[A-Z_]+: /.test(error.rawMessage);
  }
}

const BROKEN: ReadonlySet<Code> = new Set([Code.Unavailable, Code.Aborted, Code.Internal, Code.Canceled]);
