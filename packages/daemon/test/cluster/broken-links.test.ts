import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Code } from "@connectrpc/connect";
import { expect, onTestFinished, test } from "vitest";
import { type DaemonConfig, defaultConfig } from "../../src/config.ts";
import { TINY_AGENT } from "../chaos/lab.ts";
import { openBench, type Talk } from "../e2e/daemon-bench.ts";
import { newDatabase } from "../postgres/database.ts";

/** Longer than a connection may be idle before it has to prove that it is alive. */
const IDLE_MS = 2500;
/** Well before a test ends, so that a failure names the call. */
const timeoutMs = 30_000;
const LIMIT_MS = 60_000;

/** The network between a node and the others. */
class Network {
  readonly address: string;
  /** Whether data from the node is dropped, on new connections as well. */
  isLosing = false;
  readonly #server: Server;
  readonly #clients = new Set<Socket>();
  #said = () => {};

  private constructor(server: Server, nodePort: number) {
    this.#server = server;
    this.address = `127.0.0.1:${portOf(server)}`;
    server.on("connection", (client: Socket) => {
      const node = connect(nodePort, "127.0.0.1");
      this.#clients.add(client);
      client.on("data", (chunk) => {
        node.write(chunk);
        if (this.isLosing) this.#said();
      });
      node.on("data", (chunk) => !this.isLosing && client.write(chunk));
      for (const [socket, other] of [
        [client, node],
        [node, client],
      ] as const) {
        socket.on("error", () => {});
        socket.on("close", () => other.destroy());
      }
      client.on("close", () => this.#clients.delete(client));
    });
  }

  /** A network that leads to a port. */
  static async before(nodePort: number): Promise<Network> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const network = new Network(server, nodePort);
    onTestFinished(() => network.#end());
    return network;
  }

  /** Drops data from the node from now on; resolves when the node has been sent something. */
  async lose(): Promise<void> {
    this.isLosing = true;
    await new Promise<void>((resolve) => {
      this.#said = resolve;
    });
  }

  /** Closes every connection as an exiting program would; new ones work. */
  cut(): void {
    this.isLosing = false;
    for (const client of this.#clients) client.end();
  }

  #end(): void {
    for (const client of this.#clients) client.destroy();
    this.#server.close();
  }
}

/** Two nodes and a session on the first; the second reaches the first over a network. */
async function apart(): Promise<{ sessionId: string; asked: Talk; network: Network }> {
  const [bench, storeUrl, port] = [openBench(), await newDatabase(), await freePort()];
  const network = await Network.before(port);
  const agents = [{ ...TINY_AGENT, env: { TINY_HOME: bench.folder } }];
  const node = (name: string, part: Partial<DaemonConfig["cluster"]> = {}) => {
    const folder = join(bench.folder, name);
    const cluster = {
      ...defaultConfig({}, "/").cluster,
      name,
      sharedFolders: [bench.project],
      ...part,
    };
    return bench.open({ agents, storeUrl, cluster, folder, socketPath: join(folder, "daemon.sock") });
  };
  const one = await node("one", { listen: { host: "127.0.0.1", port }, address: network.address });
  const asked = await node("two");
  const sessionId = await one.create();
  await asked.sessions.getSession({ sessionId }, { timeoutMs });
  return { sessionId, asked, network };
}

test(
  "a call succeeds even if the connection to the other node closes during its liveness check",
  async () => {
    const { sessionId, asked, network } = await apart();
    await delay(IDLE_MS);
    const lost = network.lose();
    const answer = asked.sessions.getSession({ sessionId }, { timeoutMs });
    await lost;
    network.cut();
    expect((await answer).session?.id).toBe(sessionId);
    // Later calls are not blocked either.
    await delay(IDLE_MS);
    expect((await asked.sessions.getSession({ sessionId }, { timeoutMs })).session?.id).toBe(sessionId);
  },
  LIMIT_MS,
);

test(
  "a prompt whose acknowledgement was lost is acknowledged over another connection and accepted once",
  async () => {
    const { sessionId, asked, network } = await apart();
    const lost = network.lose();
    const answer = asked.sessions.sendPrompt({ sessionId, text: "talk 1" }, { timeoutMs });
    await lost;
    // The connection stays open: the only symptom is silence from the node.
    network.isLosing = true;
    setTimeout(() => {
      network.isLosing = false;
    }, IDLE_MS);
    expect(await answer).toMatchObject({ promptId: expect.stringMatching(/./) });
    const { events } = await asked.sessions.listEvents({ sessionId, pageSize: 1000 }, { timeoutMs });
    expect(events.filter(({ body }) => body.case === "userInput")).toHaveLength(1);
  },
  LIMIT_MS,
);

test(
  "a call to a node that accepts connections but stays silent fails, and works again when the node answers",
  async () => {
    const { sessionId, asked, network } = await apart();
    network.cut();
    network.isLosing = true;
    const answer = asked.sessions.getSession({ sessionId }, { timeoutMs });
    await expect(answer).rejects.toMatchObject({ code: Code.Unavailable });
    network.isLosing = false;
    expect((await asked.sessions.getSession({ sessionId }, { timeoutMs })).session?.id).toBe(sessionId);
  },
  LIMIT_MS,
);

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
