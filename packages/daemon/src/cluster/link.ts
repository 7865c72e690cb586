import { type ClientHttp2Stream, constants, type SecureClientSessionOptions } from "node:http2";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";

/** Pings detect a node that hangs. */
const PINGS = { pingIntervalMs: 2000, pingTimeoutMs: 3000, idleConnectionTimeoutMs: 60_000 };
/** How long a request waits for a connection: longer than one may take to answer a ping. */
const OPEN_MS = 4000;

type Request = Parameters<Http2SessionManager["request"]>;

/**
 * A connection to another node, opened on demand. The library's manager never gives up on an unanswered handshake, and if a
 * connection is closed while it is being verified, this and every later request hang forever; this class adds a deadline.
 */
export class Link {
  readonly transport: Transport;
  /** The number of long-lived streams on it. */
  streams = 0;
  readonly #address: string;
  readonly #tls: SecureClientSessionOptions;
  #manager: Http2SessionManager;

  constructor(address: string, tls: SecureClientSessionOptions) {
    this.#address = address;
    this.#tls = tls;
    this.#manager = this.#managed();
    this.transport = createGrpcTransport({
      baseUrl: `https://${address}`,
      sessionManager: {
        authority: this.#manager.authority,
        request: (...request) => this.#request(request),
        notifyResponseByteRead: (stream) => this.#manager.notifyResponseByteRead(stream),
      },
    });
  }

  /** Closes it along with everything that uses it. */
  abort(reason: ConnectError): void {
    this.#manager.abort(reason);
  }

  async #request(request: Request): Promise<ClientHttp2Stream> {
    const manager = this.#manager;
    const opening = manager.request(...request);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const text = `the node at ${this.#address} does not respond: check the node, and the network between the nodes`;
        const error = new ConnectError(text, Code.Unavailable);
        opening.then((stream) => stream.close(constants.NGHTTP2_CANCEL)).catch(() => {});
        this.#replace(manager, error);
        reject(error);
      }, OPEN_MS);
    });
    try {
      return await Promise.race([opening, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Abandons a manager that may never open a stream again. Its open streams continue; pings detect if they hang. */
  #replace(manager: Http2SessionManager, error: ConnectError): void {
    if (manager === this.#manager) this.#manager = this.#managed();
    if (manager.state() === "connecting") manager.abort(error);
  }

  #managed(): Http2SessionManager {
    return new Http2SessionManager(`https://${this.#address}`, PINGS, this.#tls);
  }
}
