import type { SecureClientSessionOptions } from "node:http2";
import type { TlsOptions } from "node:tls";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import type { NodeRow, Nodes } from "../store/nodes.ts";
import { Link } from "./link.ts";

/** A suite with a pre-shared key and forward secrecy: both ends prove that they have the key. */
const SUITE = {
  ciphers: "ECDHE-PSK-CHACHA20-POLY1305",
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.2",
} as const;
const IDENTITY = "agentwire";

/** How the port for other nodes is secured. */
export const peerTls = (key: Uint8Array): TlsOptions => ({
  ...SUITE,
  ALPNProtocols: ["h2"],
  pskCallback: (_, identity) => (identity === IDENTITY ? Buffer.from(key) : null),
});

const clientTls = (key: Uint8Array): SecureClientSessionOptions => ({
  ...SUITE,
  ALPNProtocols: ["h2"],
  pskCallback: () => ({ psk: Buffer.from(key), identity: IDENTITY }),
  // The pre-shared key has authenticated the server, which has no certificate.
  checkServerIdentity: () => undefined,
});

/** How many streams one connection carries; a server accepts no more than 256. */
const STREAMS = 200;
/** How long the cached list of nodes is valid. */
const FRESH_MS = 1000;

/** Another node, with the transport to call it. */
export interface Peer {
  readonly node: NodeRow;
  /** For unary calls. */
  readonly calls: Transport;
  /** For a long-lived stream; call `release` when it has ended. */
  stream(): { readonly transport: Transport; readonly release: () => void };
}

/** The connections to other nodes, opened on demand. */
export class Peers {
  readonly #nodes: Nodes;
  readonly #links = new Map<string, Link[]>();
  #known: Promise<ReadonlyMap<string, NodeRow>> | undefined;
  #knownAt = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor(nodes: Nodes) {
    this.#nodes = nodes;
  }

  /** All nodes, as of at most a second ago. */
  async all(): Promise<readonly NodeRow[]> {
    return [...(await this.#rows()).values()];
  }

  /** Another node; undefined if it is dead or not listening yet. */
  async find(id: string): Promise<Peer | undefined> {
    const node = (await this.#rows()).get(id);
    return node?.isAlive && node.address !== "" ? this.#peer(node) : undefined;
  }

  /** Discards the cached list of nodes, which may be outdated. */
  forget(): void {
    this.#known = undefined;
  }

  close(): void {
    clearInterval(this.#looking);
    for (const address of this.#links.keys()) this.#drop(address);
  }

  /** Closes the connections to dead nodes: a node that hangs may never close them, least of all during a handshake. */
  async #dropDead(): Promise<void> {
    const rows = [...(await this.#rows()).values()];
    const alive = new Set(rows.filter(({ isAlive }) => isAlive).map(({ address }) => address));
    for (const address of this.#links.keys()) if (!alive.has(address)) this.#drop(address);
  }

  #drop(address: string): void {
    const links = this.#links.get(address) ?? [];
    this.#links.delete(address);
    for (const link of links) link.abort(new ConnectError("the node is gone", Code.Unavailable));
  }

  #rows(): Promise<ReadonlyMap<string, NodeRow>> {
    if (!this.#known || performance.now() - this.#knownAt > FRESH_MS) {
      this.#knownAt = performance.now();
      this.#known = this.#nodes.list().then((rows) => new Map(rows.map((row) => [row.id, row])));
      this.#known.catch(() => this.forget());
    }
    return this.#known;
  }

  #peer(node: NodeRow): Peer {
    const links = this.#links.get(node.address) ?? [this.#link(node.address)];
    this.#links.set(node.address, links);
    const [calls] = links as [Link, ...Link[]];
    return {
      node,
      calls: calls.transport,
      stream: () => {
        const known = links.slice(1).find(({ streams }) => streams < STREAMS);
        const link = known ?? this.#link(node.address);
        if (!known) links.push(link);
        link.streams++;
        return { transport: link.transport, release: () => void link.streams-- };
      },
    };
  }

  #link(address: string): Link {
    // While the store can't be reached, which nodes are dead is unknown.
    this.#looking ??= setInterval(() => void this.#dropDead().catch(() => {}), FRESH_MS).unref();
    return new Link(address, clientTls(this.#nodes.key));
  }
}
