import { type Node, NodeSchema, NodeService } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { IDENTITY } from "../access/identity.ts";
import { PASS_MS, passOf } from "../access/pass.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Daemon } from "../daemon.ts";
import { DaemonError } from "../errors.ts";
import type { NodeRow } from "../store/nodes.ts";
import { VERSION } from "../version.ts";

/** Implements the service for the nodes of a cluster. */
export function nodeService(daemon: Daemon): ServiceImpl<typeof NodeService> {
  const { cluster, store, slots, config } = daemon;
  const mustBeNode = (): Cluster => {
    if (cluster) return cluster;
    throw new DaemonError("INVALID_ARGUMENT", "this daemon is not part of a cluster: it has its own store");
  };
  const alone = async (): Promise<Node> =>
    create(NodeSchema, {
      name: config.cluster.name,
      version: VERSION,
      alive: true,
      processes: slots.processes,
      maxProcesses: slots.limit,
      sessions: await store.sessions.count(),
      self: true,
    });
  return {
    async listNodes() {
      if (!cluster) return { nodes: [await alone()] };
      return { nodes: (await cluster.nodes.list()).map((row) => toNode(row, cluster.nodes.id)) };
    },

    async moveSession({ sessionId, to }, context) {
      const { forwarder, nodes, peers, move, seize } = boundTo(mustBeNode());
      if (!(await store.sessions.find(sessionId))) throw new DaemonError("SESSION_NOT_FOUND");
      peers.forget();
      const target = nodeNamed(await peers.all(), to);
      const place = await forwarder.placeOf(sessionId);
      const isHere = target.id === nodes.id;
      if (place === "here" && !isHere) {
        const peer = await peers.find(target.id);
        if (!peer) throw new DaemonError("NODE_DOWN", `the node ${target.name} is not running`);
        await move(sessionId, peer);
      } else if (place !== "here") {
        const isDead = "owner" in place;
        if (isDead && isHere) await seize(sessionId);
        else {
          // The current owner gives the session away; if that node is dead, the new owner takes it over.
          const giver = isDead ? await peers.find(target.id) : place;
          if (!giver) throw new DaemonError("NODE_DOWN", `the node ${target.name} is not running`);
          await forwarder.ask(giver, {
            method: NodeService.method.moveSession,
            message: { sessionId, to: target.id },
            ...asked(context),
          });
          forwarder.forget(sessionId);
        }
      }
      return { node: toNode(target, nodes.id) };
    },

    async drainNode({ node }, context) {
      const cluster = mustBeNode();
      const { forwarder, nodes, peers } = cluster;
      peers.forget();
      const target = node === "" ? undefined : nodeNamed(await peers.all(), node);
      if (target === undefined || target.id === nodes.id) return cluster.drain();
      const peer = await peers.find(target.id);
      if (!peer) throw new DaemonError("NODE_DOWN", `the node ${target.name} is not running`);
      return forwarder.ask(peer, {
        method: NodeService.method.drainNode,
        message: { node: target.id },
        ...asked(context),
      });
    },

    async getPass(_, { values }) {
      const { nodes } = mustBeNode();
      const { credential, scope, passUntilMs = Number.POSITIVE_INFINITY } = values.get(IDENTITY);
      if (credential === "" && scope !== "admin") throw new DaemonError("FORBIDDEN");
      // A pass must not be renewable by itself.
      const untilMs = Math.min(Date.now() + PASS_MS, passUntilMs);
      return { pass: passOf(nodes.key, { credential, untilMs }) };
    },
  };
}

/** The parts of a forwarded call that identify its client. */
const asked = ({ requestHeader: header, values, signal }: HandlerContext) => ({
  header,
  identity: values.get(IDENTITY),
  signal,
});

const boundTo = (cluster: Cluster) => ({
  forwarder: cluster.forwarder,
  nodes: cluster.nodes,
  peers: cluster.peers,
  move: cluster.move.bind(cluster),
  seize: cluster.seize.bind(cluster),
});

const toNode = ({ isAlive, isDraining, ...row }: NodeRow, self: string): Node =>
  create(NodeSchema, { ...row, alive: isAlive, draining: isDraining, self: row.id === self });

/** The node with an id, a name or the beginning of an id. */
function nodeNamed(all: readonly NodeRow[], said: string): NodeRow {
  const found = all.filter(({ id, name }) => id === said || name === said);
  const [node, another] =
    found.length > 0 ? found : all.filter(({ id }) => said !== "" && id.startsWith(said));
  if (!node || another)
    throw new DaemonError(
      "INVALID_ARGUMENT",
      `to: ${node ? "more than one node is" : "no node is"} called ${JSON.stringify(said)}; there are ${all.map(({ id, name }) => `${name} (${id.slice(0, 8)})`).join(", ")}`,
    );
  return node;
}
