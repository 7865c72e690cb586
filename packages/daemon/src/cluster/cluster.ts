import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { PeerService } from "@agentwire/api";
import type { Environment } from "@agentwire/local/worktree";
import type { Log } from "@agentwire/protocol/support";
import { createClient } from "@connectrpc/connect";
import { OWNER } from "../access/identity.ts";
import type { Boundary, Report } from "../boundary.ts";
import { DaemonError } from "../errors.ts";
import { type Handler, type Listener, listen } from "../http/front.ts";
import { ANY_HOST, guarded } from "../http/guard.ts";
import { isLoopback } from "../http/names.ts";
import type { Registry } from "../session/registry.ts";
import type { Slots } from "../session/slots.ts";
import type { Subscriber, SubscriberLimits } from "../session/subscriber.ts";
import type { NodeRow, Nodes } from "../store/nodes.ts";
import type { Store } from "../store/store.ts";
import { StoreError } from "../store/store-error.ts";
import { type ClusterConfig, isOfThisMachine, isSharedFolder } from "./cluster-settings.ts";
import { admitPeer, asHeader } from "./forwarded.ts";
import { Forwarder } from "./forwarder.ts";
import { GitWorkspaces } from "./git-workspaces.ts";
import { type Peer, Peers, peerTls } from "./peers.ts";
import { Relays } from "./relays.ts";

/** The dependencies of a cluster at one of its nodes. */
interface ClusterOptions {
  readonly config: ClusterConfig;
  readonly store: Store;
  readonly nodes: Nodes;
  readonly registry: Registry;
  readonly slots: Slots;
  readonly limits: () => SubscriberLimits;
  readonly guard: Boundary;
  /** The daemon's own folder. */
  readonly folder: string;
  readonly env: Environment;
  readonly log: Log;
}

/** How long another node may take to answer whether it has a folder. */
const ASK_MS = 2000;
/** How long to wait before asking an unreachable store again. */
const RETRY_MS = 250;

/** A daemon as one of the nodes that share its store. */
export class Cluster {
  readonly nodes: Nodes;
  readonly peers: Peers;
  readonly forwarder: Forwarder;
  readonly workspaces: GitWorkspaces;
  readonly #options: ClusterOptions;
  readonly #relays: Relays;
  #isDraining = false;
  #origins: ReadonlySet<string> = new Set();
  #learning: NodeJS.Timeout | undefined;
  /** A loopback address for clients; undefined while there is none. */
  localAddress: () => string | undefined = () => undefined;
  #isClosed = false;

  constructor(options: ClusterOptions) {
    const { nodes, registry, guard, config } = options;
    this.#options = options;
    this.nodes = nodes;
    this.peers = new Peers(nodes);
    this.forwarder = new Forwarder(nodes, this.peers, (id) => registry.find(id) !== undefined);
    this.#relays = new Relays({ ...options, forwarder: this.forwarder, name: config.name });
    this.workspaces = new GitWorkspaces({
      ...options,
      ...config,
      folder: join(options.folder, "workspaces"),
    });
    nodes.onTaken = guard(() => this.#takeUp());
    nodes.onLost = () => registry.abandon("the other nodes considered this one dead");
    nodes.onBack = guard(() => this.#takeUp());
  }

  /** The origins at which clients reach the nodes; the console of one node may call the others. */
  get origins(): ReadonlySet<string> {
    return this.#origins;
  }

  /** Listens for other nodes, and announces the address. */
  async open(handler: Handler, report: Report): Promise<Listener> {
    const { config, slots, guard } = this.#options;
    const { host, port } = config.listen;
    const admitted = guarded(handler, ANY_HOST, admitPeer);
    const listener = await listen({ host, port, tls: peerTls(this.nodes.key) }, admitted, report);
    const { port: taken } = new URL(listener.address);
    await this.nodes.announce(config.address ?? `${reachable(host)}:${taken}`, () => ({
      processes: slots.processes,
      maxProcesses: slots.limit,
      isDraining: this.#isDraining,
      clientAddress: this.#clientAddress(),
    }));
    await this.#learnOrigins();
    this.#learning = setInterval(
      guard(() => this.#learnOrigins()),
      LEARN_MS,
    ).unref();
    return listener;
  }

  /** Where clients reach this node. A loopback address is announced only if the whole cluster runs on this machine. */
  #clientAddress(): string {
    const { config } = this.#options;
    const address = config.clientAddress ?? this.localAddress() ?? "";
    return isOfThisMachine(address) && !isLoopback(config.listen.host) ? "" : address;
  }

  async #learnOrigins(): Promise<void> {
    // While the server can't be reached, the known origins stay valid.
    const rows = await this.peers.all().catch(() => []);
    if (rows.length > 0) this.#origins = new Set(rows.flatMap(({ clientAddress }) => clientAddress || []));
  }

  /** Watches the events of a session after `afterSeq`, whichever node runs it. */
  async watch(sessionId: string, client: string, afterSeq: number): Promise<Subscriber> {
    const { registry } = this.#options;
    const place = await this.forwarder.placeOf(sessionId);
    if (place === "here") return (await registry.get(sessionId)).watch(client, afterSeq);
    return this.#relays.watch(sessionId, client, afterSeq);
  }

  /** The node that should run a new session in a folder; undefined for this one. */
  async placeFor(cwd: string): Promise<Peer | undefined> {
    const { config, slots } = this.#options;
    const isHere = existsSync(cwd);
    if (isHere && !this.#isDraining && (slots.isFree || !isSharedFolder(config)(cwd))) return undefined;
    const found = await this.#roomiest(async (peer) => {
      const request = { path: cwd };
      return (await peerClient(peer).hasFolder(request, { headers: SELF, timeoutMs: ASK_MS })).found;
    });
    return found && (!isHere || this.#isDraining || hasRoom(found.node)) ? found : undefined;
  }

  /** Moves a session of this node to another one after its turn has finished. */
  async move(sessionId: string, to: Peer): Promise<void> {
    const { registry } = this.#options;
    const isGiven = await registry.release(sessionId, async (record) => {
      const failure = await this.workspaces.keep(record);
      if (failure !== undefined)
        throw new DaemonError("WORKSPACE_REFUSED", `the session's files can't be moved: ${failure}`);
      return this.nodes.giveAway(sessionId, to.node.id);
    });
    if (!isGiven) throw new DaemonError("NODE_DOWN", `the node ${to.node.name} can't accept the session now`);
    await peerClient(to).takeUp({ sessionIds: [sessionId] }, { headers: SELF });
  }

  /** Takes over a session from a dead node. */
  async seize(sessionId: string): Promise<void> {
    if (!(await this.nodes.seize(sessionId)))
      throw new DaemonError(
        "INVALID_ARGUMENT",
        "the node that runs this session is alive: move the session from there",
      );
    this.forwarder.forget(sessionId);
    await this.#options.registry.takeUp([sessionId]);
  }

  /** Stops accepting sessions, and moves those in shared folders to other nodes as their turns finish. */
  async drain(): Promise<{ readonly moved: number; readonly kept: number }> {
    const { store } = this.#options;
    this.#isDraining = true;
    let moved = 0;
    let kept = 0;
    for (let after = ""; ; ) {
      const ids = await store.sessions.idsAfter(after, PAGE);
      for (const id of ids) {
        const ownership = await this.nodes.ownership(id);
        const record = ownership?.owner === this.nodes.id ? await store.sessions.find(id) : undefined;
        if (!record || record.deletedMs !== null) continue;
        const to = ownership?.isShared ? await this.#roomiest(async () => true) : undefined;
        if (to && (await this.#isMoved(id, to))) moved++;
        else kept++;
      }
      const last = ids.at(-1);
      if (last === undefined) return { moved, kept };
      after = last;
    }
  }

  /** Moves a session, unless its files don't allow it. */
  async #isMoved(id: string, to: Peer): Promise<boolean> {
    try {
      await this.move(id, to);
      return true;
    } catch (error) {
      if (error instanceof DaemonError && error.code === "WORKSPACE_REFUSED") return false;
      throw error;
    }
  }

  close(reason: string): void {
    clearInterval(this.#learning);
    this.#isClosed = true;
    this.#relays.close(reason);
    this.peers.close();
  }

  /** Continues the sessions that this node has received, as soon as the store can be reached. */
  async #takeUp(): Promise<void> {
    for (;;)
      try {
        return await this.#options.registry.start();
      } catch (error) {
        if (this.#isClosed || !(error instanceof StoreError && error.code === "unreachable")) throw error;
        await pause(RETRY_MS);
      }
  }

  /** The other node with the most free slots among those that fit. */
  async #roomiest(fits: (peer: Peer) => Promise<boolean>): Promise<Peer | undefined> {
    const others = (await this.peers.all()).filter(
      ({ id, isAlive, isDraining }) => id !== this.nodes.id && isAlive && !isDraining,
    );
    const judged = await Promise.all(
      others.map(async ({ id }) => {
        const peer = await this.peers.find(id);
        return peer && (await fits(peer).catch(() => false)) ? [peer] : [];
      }),
    );
    return judged.flat().sort((one, other) => roomOf(other.node) - roomOf(one.node))[0];
  }
}

const PAGE = 200;
/** How often a node checks at which origins clients reach the others. */
const LEARN_MS = 2000;
/** The headers with which a node calls others on its own behalf. */
const SELF = asHeader(new Headers(), { ...OWNER, name: "another node" });

const peerClient = ({ calls }: Peer) => createClient(PeerService, calls);
const roomOf = ({ maxProcesses, processes }: NodeRow) => maxProcesses - processes;
const hasRoom = (node: NodeRow) => roomOf(node) > 0;

/** A host as other nodes can reach it: this machine's name if it listens on all addresses. */
function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return hostname();
  return host.includes(":") ? `[${host}]` : host;
}
