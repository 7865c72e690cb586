import { connect as connectTo } from "node:net";
import type { Log } from "@agentwire/protocol/support";
import type { Client } from "pg";
import type { NodeState, SharedBook } from "../nodes.ts";
import type { StoreError } from "../store-error.ts";
import { connect } from "./connection.ts";
import {
  allUnpack,
  giveAway,
  join,
  LEASE_MS,
  leave,
  type Node,
  type NodeName,
  renew,
  type Suspect,
  seize,
  suspects,
  takeOver,
  wasTakenOver,
} from "./node.ts";
import { inTime, NodeConnection } from "./node-connection.ts";
import { toStoreError } from "./postgres-error.ts";

/** How often a node checks for dead nodes. */
const LOOK_MS = 250;
/** How often it sends a heartbeat. */
const RENEW_MS = 2000;
/** How long before its lease expires a node that can't renew it ends everything that another node might continue. */
const SAFETY_MS = 3000;
/** How long a last attempt to renew the lease may take. */
const LAST_TRY_MS = 1000;
/** How long a node that has lost its connection may take to answer on its port. */
const ANSWER_MS = 300;

/** The dependencies of a membership. */
interface MembershipOptions {
  readonly url: string;
  readonly place: string;
  readonly name: NodeName;
  readonly log: Log;
}

/** A node's membership in its cluster: heartbeats, taking over from dead nodes, and returning after it was declared dead itself. */
export class Membership {
  readonly #options: MembershipOptions;
  readonly #connection: NodeConnection;
  #node: Node;
  #address = "";
  #state: () => NodeState = () => ({
    processes: 0,
    maxProcesses: 0,
    isDraining: false,
    clientAddress: "",
  });
  #renewedAt = performance.now();
  #areAllNew = false;
  #isLost = false;
  /** Whether the answer to a takeover was lost. */
  #isUnsure = false;
  /** Settles when everything that ran at the loss of the lease has ended. */
  #losing: Promise<void> = Promise.resolve();
  #isEnded = false;
  readonly #looking: NodeJS.Timeout;

  onTaken: (sessionIds: readonly string[]) => void = () => {};
  /** Called if this node may own sessions that it was not told about: the answer to a takeover was lost. */
  onUnsure: () => void = () => {};
  /** Called when another node has changed something that this one caches. */
  onBook: (book: SharedBook) => void = () => {};
  /** Called when this node has lost its lease; it returns when the promise is settled. */
  onLost: (error: StoreError) => Promise<void> = async () => {};
  onBack: (node: Node) => Promise<void> = async () => {};
  /** Called when no node of an old version is left; the tables are too new for one to join. */
  onAllNew: () => void = () => {};
  /** Called with whether the server answers. */
  onAnswer: (error: StoreError | undefined) => void = () => {};

  private constructor(options: MembershipOptions, client: Client, node: Node) {
    this.#options = options;
    this.#node = node;
    this.#connection = new NodeConnection(options.url, client, {
      nodeId: () => this.#node.id,
      onBook: (book) => this.onBook(book),
    });
    this.#looking = setInterval(() => {
      void this.#checkLease();
      void this.#look();
    }, LOOK_MS).unref();
  }

  /** Joins the nodes of a database. */
  static async begin(options: MembershipOptions): Promise<Membership> {
    const client = await connect(options.url);
    try {
      const node = await join(client, options.name, "");
      const membership = new Membership(options, client, node);
      await membership.#connection.listen(client);
      membership.#areAllNew = await allUnpack(client);
      return membership;
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
  }

  /** Whether every node that may be running can read rows with several events. */
  get areAllNew(): boolean {
    return this.#areAllNew;
  }

  get node(): Node {
    return this.#node;
  }

  /** Announces this node's address and state. */
  async announce(address: string, state: () => NodeState): Promise<void> {
    this.#address = address;
    this.#state = state;
    await this.#renew();
  }

  giveAway(sessionId: string, to: string): Promise<boolean> {
    return this.#connection.alone((client) => giveAway(client, this.#node, sessionId, to));
  }

  seize(sessionId: string): Promise<boolean> {
    return this.#connection.alone((client) => seize(client, this.#node, sessionId));
  }

  /** Leaves, so that other nodes need not wait for the lease to expire. */
  async close(): Promise<void> {
    this.#isEnded = true;
    clearInterval(this.#looking);
    if (!this.#isLost) await this.#connection.alone((client) => leave(client, this.#node)).catch(() => {});
    await this.#connection.close();
  }

  #isLooking = false;

  /** One round of checks; never throws. */
  async #look(): Promise<void> {
    if (this.#isLooking || this.#isEnded) return;
    this.#isLooking = true;
    try {
      if (this.#isLost) await this.#comeBack();
      else {
        if (performance.now() - this.#renewedAt > RENEW_MS) await this.#renew();
        for (const suspect of await this.#connection.alone((client) => suspects(client, this.#node.id)))
          await this.#judge(suspect);
        if (this.#isUnsure) this.onUnsure();
        this.#isUnsure = false;
      }
      this.onAnswer(undefined);
    } catch (cause) {
      if (!this.#isEnded) this.onAnswer(toStoreError(cause, this.#options.place));
    } finally {
      this.#isLooking = false;
    }
  }

  async #renew(): Promise<void> {
    const began = performance.now();
    const isOurs = await this.#connection.alone((client) =>
      renew(client, this.#node, this.#address, this.#state()),
    );
    if (!isOurs) return this.#fenced();
    this.#renewedAt = began;
    if (!this.#areAllNew && (await this.#connection.alone(allUnpack))) {
      this.#areAllNew = true;
      this.onAllNew();
    }
  }

  #lose(error: StoreError): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#losing = this.onLost(error).catch(() => {});
  }

  /** Another daemon has raised the epoch. */
  async #fenced(): Promise<void> {
    const { name, place, log } = this.#options;
    const comesBack = await this.#connection.alone((client) => wasTakenOver(client, name.id));
    log.warn("another node took this one for dead", { node: name.id, comesBack });
    this.#lose(toStoreError({ code: "AW001" }, place));
    if (!comesBack) {
      this.#isEnded = true;
      clearInterval(this.#looking);
    }
  }

  #isExpiring = false;

  /**
   * If the lease can't be renewed, ends what another node might continue before that can happen, however the server hangs. This also
   * detects a machine that was suspended; never throws.
   */
  async #checkLease(): Promise<void> {
    const { log, name, place } = this.#options;
    const isNear = performance.now() - this.#renewedAt > LEASE_MS - SAFETY_MS;
    if (!isNear || !name.sharesFolders || this.#isLost || this.#isEnded || this.#isExpiring) return;
    this.#isExpiring = true;
    try {
      await inTime(LAST_TRY_MS, this.#renew(), () => {});
    } catch (cause) {
      if (this.#isLost || this.#isEnded) return;
      log.warn("the lease of this node can't be renewed: its agents are being stopped", { node: name.id });
      this.#lose(toStoreError(cause, place));
    } finally {
      this.#isExpiring = false;
    }
  }

  async #comeBack(): Promise<void> {
    // Everything running has to end first.
    await this.#losing;
    const node = await this.#connection.alone((client) => join(client, this.#options.name, this.#address));
    this.#node = node;
    this.#renewedAt = performance.now();
    await this.onBack(node);
    this.#isLost = false;
    this.#options.log.info("this node is back", { node: node.id, epoch: node.epoch });
  }

  /** A node without its lock is dead if its lease has expired, or nothing listens on its port any more. */
  async #judge(suspect: Suspect): Promise<void> {
    if (!suspect.isExpired && !(await isRefused(suspect.address))) return;
    const taken = await this.#connection
      .alone((client) => takeOver(client, this.#node, suspect))
      .catch((error: unknown) => {
        this.#isUnsure = true;
        throw error;
      });
    if (!taken) return;
    this.#options.log.warn("a node is dead; its sessions in shared folders continue here", {
      node: suspect.id,
      sessions: taken.length,
    });
    this.onTaken(taken);
  }
}

/** Whether a machine refuses connections to an address: then the process that listened there has ended. */
function isRefused(address: string): Promise<boolean> {
  const at = address.lastIndexOf(":");
  if (at < 1) return Promise.resolve(false);
  const host = address.slice(0, at).replace(/^\[(.*)\]$/, "$1");
  return new Promise((resolve) => {
    const socket = connectTo({ host, port: Number(address.slice(at + 1)), timeout: ANSWER_MS });
    const say = (refused: boolean) => {
      socket.destroy();
      resolve(refused);
    };
    socket.on("connect", () => say(false));
    socket.on("timeout", () => say(false));
    socket.on("error", (error) => say((error as NodeJS.ErrnoException).code === "ECONNREFUSED"));
  });
}
