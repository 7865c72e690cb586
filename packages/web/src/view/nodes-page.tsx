import { type Node, NodeService, type Session } from "@agentwire/api";
import { useEffect } from "preact/hooks";
import { hrefOf } from "../route.ts";
import { many, statusWords, titleOfSession } from "../text/words.ts";
import type { ViewProps } from "./shell.tsx";
import { useLoaded } from "./use-loaded.ts";

/** How often the nodes are polled; a lease lasts ten seconds. */
const AGAIN_MS = 2000;
/** The maximum number of sessions listed. */
const MOST = 200;

/** The nodes of a cluster with their load and sessions; drains nodes and moves sessions between them. */
export function NodesPage({ app }: Pick<ViewProps, "app">) {
  const { sessions, connect } = app.client;
  const service = connect(NodeService);
  const { value, problem, reload } = useLoaded(app, "nodes", async () => {
    const [{ nodes }, listed] = await Promise.all([
      service.listNodes({}),
      sessions.listSessions({ pageSize: MOST }),
    ]);
    return { nodes, sessions: listed.sessions };
  });
  useEffect(() => {
    const timer = setInterval(reload, AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  const act = async (work: () => Promise<unknown>) => {
    await app.attempt(work);
    reload();
  };
  const drain = ({ id, name }: Node) =>
    act(async () => {
      const { moved, kept } = await service.drainNode({ node: id });
      const left = kept > 0 ? `; ${many(kept, "session")} can't continue elsewhere` : "";
      app.say(`${name} accepts no more sessions: ${many(moved, "session")} moved${left}.`);
    });
  const move = (session: Session, to: string) =>
    act(async () => {
      const { node } = await service.moveSession({ sessionId: session.id, to });
      app.say(`“${titleOfSession(session)}” is now on ${node?.name}.`);
    });
  const nodes = value?.nodes ?? [];
  return (
    <div class="page">
      <header class="page-head">
        <h1>Nodes</h1>
        <span class="why">{value && many(nodes.filter(({ alive }) => alive).length, "node")}</span>
      </header>
      {problem !== "" && <p class="banner error">{problem}</p>}
      {value === undefined && problem === "" && <p class="why">Loading…</p>}
      {nodes.length === 1 && nodes[0]?.id === "" && (
        <p class="panel empty-panel">
          This daemon has its own store. Daemons that share a PostgreSQL database are nodes of a cluster:{" "}
          <code>agentwire daemon start --store postgres://…</code>
        </p>
      )}
      {nodes.map((node) => (
        <NodePanel
          key={node.id}
          node={node}
          sessions={value?.sessions.filter((session) => session.node === node.id) ?? []}
          others={nodes.filter(({ id, alive, draining }) => id !== node.id && alive && !draining)}
          onDrain={() => void drain(node)}
          onMove={(session, to) => void move(session, to)}
        />
      ))}
    </div>
  );
}

interface NodePanelProps {
  readonly node: Node;
  readonly sessions: readonly Session[];
  /** The nodes that its sessions can move to. */
  readonly others: readonly Node[];
  readonly onDrain: () => void;
  readonly onMove: (session: Session, to: string) => void;
}

function NodePanel({ node, sessions, others, onDrain, onMove }: NodePanelProps) {
  const { name, self, alive, draining } = node;
  const [words, tone] = stateOf(node);
  return (
    <section class="panel node" aria-label={name}>
      <header class="row">
        <h2 class={`state ${tone} row-main`}>{name}</h2>
        <span class={`tag ${tone}`}>{words}</span>
        {self && <span class="tag">serves this page</span>}
        {alive && !draining && others.length > 0 && (
          <button type="button" class="small" onClick={onDrain} aria-label={`Drain ${name}`}>
            Drain
          </button>
        )}
      </header>
      <dl class="node-facts">
        {factsOf(node).map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {sessions.length > 0 && (
        <ul class="rows" aria-label={`Sessions of ${name}`}>
          {sessions.map((session) => (
            <li key={session.id} class="row">
              <a class="row-main" href={hrefOf({ view: "session", id: session.id })}>
                {titleOfSession(session)}
              </a>
              <span class={`status ${statusWords(session).tone}`}>{statusWords(session).label}</span>
              {others.length > 0 && (
                <select
                  aria-label={`Move ${titleOfSession(session)}`}
                  value=""
                  onChange={({ currentTarget }) => onMove(session, currentTarget.value)}
                >
                  <option value="">Move to…</option>
                  {others.map((other) => (
                    <option key={other.id} value={other.id}>
                      {other.name}
                    </option>
                  ))}
                </select>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function stateOf({ alive, draining }: Node): readonly [words: string, tone: string] {
  if (!alive) return ["down", "bad"];
  return draining ? ["draining", "warning"] : ["up", "good"];
}

/** The known facts about a node. */
function factsOf(node: Node): readonly (readonly [term: string, text: string])[] {
  const { alive, processes, maxProcesses, sessions, leaseMs, version, address, clientAddress } = node;
  const facts: readonly (readonly [string, string])[] = [
    ["Agents", alive ? `${processes} of ${maxProcesses}` : ""],
    ["Sessions", String(sessions)],
    ["Lease", leaseMs > 0 ? `${Math.ceil(leaseMs / 1000)} s` : ""],
    ["Version", version],
    ["Node address", address],
    ["Client address", clientAddress],
  ];
  return facts.filter(([, text]) => text !== "");
}
