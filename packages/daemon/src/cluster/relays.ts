import { setTimeout as pause } from "node:timers/promises";
import { PeerService } from "@agentwire/api";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { type Identity, OWNER } from "../access/identity.ts";
import type { Boundary } from "../boundary.ts";
import { Fanout } from "../session/fanout.ts";
import type { Subscriber, SubscriberLimits } from "../session/subscriber.ts";
import type { Store } from "../store/store.ts";
import { asHeader } from "./forwarded.ts";
import type { Forwarder } from "./forwarder.ts";
import type { Peer } from "./peers.ts";

/** How long to wait after an interruption before looking for the session's owner again. */
const RETRY_MS = 100;

/** The dependencies of relays. */
interface RelayOptions {
  readonly store: Store;
  readonly forwarder: Forwarder;
  readonly limits: () => SubscriberLimits;
  readonly guard: Boundary;
  /** The name of this node. */
  readonly name: string;
}

/** Relays the events of other nodes' sessions to clients of this one: history from the store, the rest over one stream per session. */
export class Relays {
  readonly #options: RelayOptions;
  readonly #relays = new Map<string, Relay>();

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Watches the events of another node's session after `afterSeq`. */
  async watch(sessionId: string, client: string, afterSeq: number): Promise<Subscriber> {
    const known = this.#relays.get(sessionId);
    if (known) return known.subscribe(client, afterSeq);
    const { last } = await this.#options.store.events.bounds(sessionId);
    // Another client may have created a relay in the meantime.
    const relay = this.#relays.get(sessionId) ?? this.#begin(sessionId, last);
    return relay.subscribe(client, afterSeq);
  }

  close(reason: string): void {
    for (const relay of this.#relays.values()) relay.close(reason);
  }

  #begin(sessionId: string, last: number): Relay {
    const relay = new Relay(this.#options, sessionId, last);
    this.#relays.set(sessionId, relay);
    relay.onEnd = () => {
      if (this.#relays.get(sessionId) === relay) this.#relays.delete(sessionId);
    };
    return relay;
  }
}

/** One session of another node, for all clients of this one that watch it. */
class Relay {
  readonly #options: RelayOptions;
  readonly #sessionId: string;
  readonly #fanout: Fanout;
  readonly #ending = new AbortController();
  readonly #header: Headers;
  onEnd: () => void = () => {};

  constructor(options: RelayOptions, sessionId: string, lastSeq: number) {
    const { store, limits, guard, name } = options;
    this.#options = options;
    this.#sessionId = sessionId;
    const self: Identity = { ...OWNER, name: `node ${name}` };
    this.#header = asHeader(new Headers(), self);
    this.#fanout = new Fanout(sessionId, store.events, limits, lastSeq);
    this.#fanout.guard = guard;
    this.#fanout.onAttendance = (isAttended) => {
      if (isAttended) guard(() => this.#run())();
      else this.#end();
    };
    this.#fanout.onLeft = (client) => void this.#left(client).catch(() => {});
  }

  subscribe(client: string, afterSeq: number): Subscriber {
    return this.#fanout.subscribe(client, afterSeq);
  }

  close(reason: string): void {
    this.#fanout.close(reason);
    this.#end();
  }

  #end(): void {
    this.#ending.abort();
    this.onEnd();
  }

  /** Follows the session from node to node until no client is left. */
  async #run(): Promise<void> {
    const { forwarder } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        const place = await forwarder.placeOf(this.#sessionId);
        if (place === "here") return this.close("the session now belongs to this node");
        if (!("owner" in place)) await this.#follow(place);
      } catch (error) {
        if (error instanceof ConnectError && error.code === Code.NotFound)
          return this.close("the session was deleted");
      }
      forwarder.forget(this.#sessionId);
      await pause(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }

  async #follow(peer: Peer): Promise<void> {
    const { transport, release } = peer.stream();
    try {
      const request = { sessionId: this.#sessionId, afterSeq: BigInt(this.#fanout.lastSeq) };
      const options = { signal: this.#ending.signal, headers: this.#header };
      for await (const { seqs, events } of createClient(PeerService, transport).relay(request, options)) {
        const fresh = events.flatMap((body, at) => {
          const seq = Number(seqs[at]);
          return seq > this.#fanout.lastSeq ? [{ seq, body }] : [];
        });
        this.#fanout.publish(fresh);
      }
    } finally {
      release();
    }
  }

  /** Tells the owner that a client of this node has left, since the owner keeps the input for it until then. */
  async #left(client: string): Promise<void> {
    const place = await this.#options.forwarder.placeOf(this.#sessionId);
    if (place === "here" || "owner" in place) return;
    const peers = createClient(PeerService, place.calls);
    await peers.clientLeft({ sessionId: this.#sessionId, client }, { headers: this.#header });
  }
}
