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

/** How often a node looks for others that are dead. */
const LOOK_MS = 250;
/** How often it gives a sign of life. */
const RENEW_MS = 2000;
/** How long before the end of its lease a node that can't renew it ends what another one might continue with. */
const SAFETY_MS = 3000;
/** How long a last try to renew the lease may take. */
const LAST_TRY_MS = 1000;
/** How long a node that has lost its connection may take to answer at its port. */
const ANSWER_MS = 300;

/** What a membership is made of. */
interface MembershipOptions {
  readonly url: string;
  readonly place: string;
  readonly name: NodeName;
  readonly log: Log;
}

/** A node's part in its cluster: signs of life, taking over from nodes that are dead, and coming back after it was taken for dead itself. */
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
  /** Whether the answer to a take-over was lost. */
  #isUnsure = false;
  /** The end of what ran when it was lost. */
  #losing: Promise<void> = Promise.resolve();
  #isEnded = false;
  readonly #looking: NodeJS.Timeout;

  onTaken: (sessionIds: readonly string[]) => void = () => {};
  /** There may be sessions of this node that it has not been told of: the answer to a take-over was lost. */
  onUnsure: () => void = () => {};
  /** Another node has changed it. */
  onBook: (book: SharedBook) => void = () => {};
  /** Nothing of this node counts any more; it comes back when the promise is settled. */
  onLost: (error: StoreError) => Promise<void> = async () => {};
  onBack: (node: Node) => Promise<void> = async () => {};
  /** No node of an old version is left; none joins any more, for the tables are too new for it. */
  onAllNew: () => void = () => {};
  /** Whether the server answers. */
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

  /** Says where this node is reached, and how it is. */
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

  /** Leaves, so that others need not wait for the end of the lease. */
  async close(): Promise<void> {
    this.#isEnded = true;
    clearInterval(this.#looking);
    if (!this.#isLost) await this.#connection.alone((client) => leave(client, this.#node)).catch(() => {});
    await this.#connection.close();
  }

  #isLooking = false;

  /** A turn of the watch; never throws. */
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
   * A lease that can't be renewed: what another node might continue with ends here first, however the server hangs. A clock that stood
   * still is seen here, too; never throws.
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
    // What runs has to end first.
    await this.#losing;
    const node = await this.#connection.alone((client) => join(client, this.#options.name, this.#address));
    this.#node = node;
    this.#renewedAt = performance.now();
    await this.onBack(node);
    this.#isLost = false;
    this.#options.log.info("this node is back", { node: node.id, epoch: node.epoch });
  }

  /** A node without its lock is dead if its lease has ended, or nothing listens at its port any more. */
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

/** Whether a machine answers that no program listens at an address: then the process that did has ended. */
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
