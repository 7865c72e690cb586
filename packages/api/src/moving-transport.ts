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

/** How a client gets to the nodes of a cluster. */
export interface MovingOptions {
  /** The nodes that were named, the preferred one first; each with what proves the client there. */
  readonly named: readonly [Transport, ...Transport[]];
  /** The way to a node that the cluster has named, where a pass proves the client; undefined for an address that must not be used. */
  readonly open: (address: string, pass: () => string) => Transport | undefined;
  /** Whether other nodes are looked for from the beginning; otherwise while something is streamed. */
  readonly isLasting: boolean;
}

/** How often a client looks whether its node is alive, and for others. */
const LOOK_MS = 3000;
/** How long a node may take to answer before it counts as hung. */
const ANSWER_MS = 8000;
/** How old a pass may get before another one is asked for. */
const FRESH_MS = 600_000;

type Given = Parameters<Transport["unary"]>[3];

/** A way to a node. */
class Way {
  readonly transport: Transport;
  /** Aborted when the client leaves it: what is streamed continues elsewhere. */
  left = new AbortController();
  /** Aborted when it does not answer any more: what was asked is asked elsewhere. */
  dead = new AbortController();

  constructor(transport: Transport) {
    this.transport = transport;
  }
}

/**
 * Talks to one node of a cluster, and to another one when that dies or hangs: calls that may be repeated are sent again, streams break and
 * are taken up by `follow()`. With one daemon it does nothing but pass calls on.
 */
export class MovingTransport implements Transport {
  readonly #options: MovingOptions;
  readonly #named: readonly Way[];
  readonly #learned = new Map<string, Way>();
  #at: Way;
  #pass = "";
  #passedAt = 0;
  #streams = 0;
  /** Whether there is nothing to learn: the daemon has a store of its own. */
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
    // What is sent can't be taken back, so a stream that can't be opened is the caller's to repeat.
    return this.#try(false, signal, async (way) => {
      const { signal: left } = way.left;
      const both = either(signal, left);
      const response = await way.transport.stream(method, both, timeoutMs, header, input, contextValues);
      return { ...response, message: this.#watched(way, left, signal, response.message) };
    });
  }

  /** The nodes that can be gone to. */
  get #ways(): readonly Way[] {
    return [...this.#named, ...this.#learned.values()];
  }

  /** Does something at a node, and at others if that one is gone. */
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

  /** Passes on what is streamed; whoever reads it is told of a break in one way, whatever broke. */
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

  /** Goes to another node; false if there is none. */
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
    // Looking keeps no program from ending.
    (this.#looking as { unref?: () => void }).unref?.();
  }

  /** Sees whether the node is alive and which others there are; goes back to the preferred one when it answers again. */
  async #look(): Promise<void> {
    const [home] = this.#named as [Way];
    const way = this.#at;
    if (way !== home && (await this.#learn(home)) && this.#at === way) this.#go(home);
    else if (!(await this.#learn(way)) && !this.#ending.signal.aborted) this.#leave(way);
  }

  /** Asks a node who the others are; false if it does not answer. */
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

/** Whether an error is not what a daemon has said, which begins with a code of its own, but that none did, or that it is about to end. */
function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return true;
  if (error.rawMessage.startsWith("SHUTTING_DOWN: ")) return true;
  return BROKEN.has(error.code) && !/^[A-Z_]+: /.test(error.rawMessage);
}
