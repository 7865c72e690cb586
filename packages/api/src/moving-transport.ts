import type { DescMessage, DescMethodStreaming, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ContextValues,
  createClient,
  type StreamResponse,
  type Transport,
  type UnaryResponse,
} from "@connectrpc/connect";
import { NodeService } from "./generated/agentwire/v1/node_pb.ts";
import { isRepeatable, withKey } from "./repeatable.ts";

/** How a client reaches the nodes of a cluster. */
export interface MovingOptions {
  /** The configured nodes, the preferred one first, each with the client's credentials. */
  readonly named: readonly [Transport, ...Transport[]];
  /**
   * Opens a transport to a node that the cluster reported, authenticated by a pass; undefined for an address
   * that must not be used.
   */
  readonly open: (address: string, pass: () => string) => Transport | undefined;
  /** Whether to look for other nodes from the start; otherwise only while a stream is open. */
  readonly isLasting: boolean;
}

/** How often a client checks whether its node is alive, and looks for other nodes. */
const LOOK_MS = 3000;
/** How long a node may take to answer before it is considered hung. */
const ANSWER_MS = 8000;
/** The age at which a pass is replaced. */
const FRESH_MS = 600_000;

type Given = Parameters<Transport["unary"]>[3];

/** A connection to a node. */
class Way {
  readonly transport: Transport;
  /** Aborted when the client leaves this node: streams continue elsewhere. */
  left = new AbortController();
  /** Aborted when this node no longer answers: open calls are retried elsewhere. */
  dead = new AbortController();

  constructor(transport: Transport) {
    this.transport = transport;
  }
}

/**
 * Talks to one node of a cluster, and switches to another one when that dies or hangs: repeatable calls are
 * sent again, and streams break and are resumed by `follow()`. With a single daemon it only passes calls on.
 */
export class MovingTransport implements Transport {
  readonly #options: MovingOptions;
  readonly #named: readonly Way[];
  readonly #learned = new Map<string, Way>();
  #at: Way;
  #pass = "";
  #passedAt = 0;
  #streams = 0;
  /** Whether there are no other nodes to learn about, because the daemon has its own store. */
  #isAlone = false;
  #looking: ReturnType<typeof setTimeout> | undefined;
  #ending = new AbortController();

  constructor(options: MovingOptions) {
    this.#options = options;
    this.#named = options.named.map((transport) => new Way(transport));
    this.#at = this.#named[0] as Way;
    if (options.isLasting) this.#begin();
  }

  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: Given,
    input: MessageInitShape<I>,
    contextValues?: ContextValues,
  ): Promise<UnaryResponse<I, O>> {
    const message = withKey(method, input as object) as MessageInitShape<I>;
    return this.#try(isRepeatable(method), signal, ({ transport, dead }) =>
      transport.unary(method, either(signal, dead.signal), timeoutMs, header, message, contextValues),
    );
  }

  async stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodStreaming<I, O>,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: Given,
    input: AsyncIterable<MessageInitShape<I>>,
    contextValues?: ContextValues,
  ): Promise<StreamResponse<I, O>> {
    // Messages that were sent can't be recalled, so a stream that fails to open is for the caller to retry.
    return this.#try(false, signal, async (way) => {
      const { signal: left } = way.left;
      const both = either(signal, left);
      const response = await way.transport.stream(method, both, timeoutMs, header, input, contextValues);
      return { ...response, message: this.#watched(way, left, signal, response.message) };
    });
  }

  /** The nodes that can be used. */
  get #ways(): readonly Way[] {
    return [...this.#named, ...this.#learned.values()];
  }

  /** Runs a call at a node, and at others if that one is gone. */
  async #try<T>(
    mayRepeat: boolean,
    signal: AbortSignal | undefined,
    act: (way: Way) => Promise<T>,
  ): Promise<T> {
    let first: unknown;
    for (let tries = 0; ; tries++) {
      const way = this.#at;
      const { signal: dead } = way.dead;
      try {
        return await act(way);
      } catch (error) {
        if (signal?.aborted || !(dead.aborted || isNoAnswer(error))) throw error;
        first ??= dead.aborted ? noAnswer() : error;
        const canMove = this.#leave(way);
        if (!canMove || !mayRepeat || tries + 1 >= this.#ways.length) throw first;
      }
    }
  }

  /** Forwards a stream; its reader sees the same error for every kind of break. */
  async *#watched<T>(
    way: Way,
    left: AbortSignal,
    signal: AbortSignal | undefined,
    messages: AsyncIterable<T>,
  ): AsyncIterable<T> {
    if (this.#streams++ === 0) this.#begin();
    try {
      yield* messages;
    } catch (error) {
      if (signal?.aborted || !(left.aborted || isNoAnswer(error))) throw error;
      this.#leave(way);
      throw left.aborted ? noAnswer() : error;
    } finally {
      if (--this.#streams === 0 && !this.#options.isLasting) this.#end();
    }
  }

  /** Switches to another node; false if there is none. */
  #leave(way: Way): boolean {
    const ways = this.#ways;
    if (ways.length < 2) return false;
    if (this.#at === way) {
      this.#go(ways[(ways.indexOf(way) + 1) % ways.length] as Way);
      way.dead.abort();
      way.dead = new AbortController();
    }
    return true;
  }

  #go(to: Way): void {
    const from = this.#at;
    this.#at = to;
    from.left.abort();
    from.left = new AbortController();
  }

  #begin(): void {
    if (this.#isAlone || this.#looking !== undefined) return;
    this.#ending = new AbortController();
    this.#lookIn(0);
  }

  #end(): void {
    clearTimeout(this.#looking);
    this.#looking = undefined;
    this.#ending.abort();
  }

  #lookIn(ms: number): void {
    this.#looking = setTimeout(async () => {
      const { signal } = this.#ending;
      await this.#look();
      if (!signal.aborted && !this.#isAlone) this.#lookIn(LOOK_MS);
    }, ms);
    // This timer must not keep a program from exiting.
    (this.#looking as { unref?: () => void }).unref?.();
  }

  /**
   * Checks whether the node is alive and which others there are; switches back to the preferred node when it
   * answers again.
   */
  async #look(): Promise<void> {
    const [home] = this.#named as [Way];
    const way = this.#at;
    if (way !== home && (await this.#learn(home)) && this.#at === way) this.#go(home);
    else if (!(await this.#learn(way)) && !this.#ending.signal.aborted) this.#leave(way);
  }

  /** Asks a node for the others; false if it does not answer. */
  async #learn(way: Way): Promise<boolean> {
    const options = { timeoutMs: ANSWER_MS, signal: this.#ending.signal };
    const client = createClient(NodeService, way.transport);
    try {
      const { nodes } = await client.listNodes({}, options);
      this.#isAlone = nodes.every(({ id }) => id === "");
      const addresses = nodes.flatMap(({ self, clientAddress }) => (self ? [] : clientAddress || []));
      if (addresses.length > 0 && Date.now() - this.#passedAt > FRESH_MS) {
        this.#pass = (await client.getPass({}, options)).pass;
        this.#passedAt = Date.now();
      }
      for (const address of addresses) this.#add(address);
      return true;
    } catch (error) {
      return !isNoAnswer(error);
    }
  }

  #add(address: string): void {
    if (this.#learned.has(address)) return;
    const transport = this.#options.open(address, () => this.#pass);
    if (transport) this.#learned.set(address, new Way(transport));
  }
}

const BROKEN: ReadonlySet<Code> = new Set([
  ...[Code.Unavailable, Code.Aborted, Code.Unknown, Code.Internal, Code.Canceled, Code.DeadlineExceeded],
]);

const noAnswer = () => new ConnectError("the node does not answer", Code.Unavailable);

const either = (signal: AbortSignal | undefined, left: AbortSignal) =>
  signal ? AbortSignal.any([signal, left]) : left;

/**
 * Whether an error did not come from a daemon, whose errors begin with a code, or says that the daemon is
 * about to stop.
 */
function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return true;
  if (error.rawMessage.startsWith("SHUTTING_DOWN: ")) return true;
  return BROKEN.has(error.code) && !/^[A-Z_]+: /.test(error.rawMessage);
}
