import { ConfigScope, type ListedMcpServer, type Session, ToolingService } from "@agentwire/api";
import { useEffect, useState } from "preact/hooks";
import { CONFIG_SCOPES, SERVER_STATES } from "../text/tooling-words.ts";
import { many, titleOfSession } from "../text/words.ts";
import { McpForm } from "./mcp-form.tsx";
import type { ViewProps } from "./shell.tsx";
import { ToolsNav } from "./tools-nav.tsx";
import { useLoaded } from "./use-loaded.ts";

/** How often to poll while a server is connecting. */
const AGAIN_MS = 1000;

/** The MCP servers of a session and its folder, with their states, tools and errors; adds and removes servers. */
export function McpPage({ app, state }: ViewProps) {
  const tooling = app.client.connect(ToolingService);
  const [chosen, setChosen] = useState("");
  const sessionId = chosen || (state.sessions[0]?.id ?? "");
  const session = state.sessions.find(({ id }) => id === sessionId);
  const { value, problem, reload } = useLoaded(app, sessionId, () => tooling.listMcpServers({ sessionId }));
  const isPending = value?.servers.some((server) => server.state === "pending") ?? false;
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(reload, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [value]);
  const act = async (work: () => Promise<unknown>) => {
    await app.attempt(work);
    reload();
  };
  return (
    <div class="page">
      <ToolsNav at="mcp" />
      <header class="page-head">
        <h1>MCP servers</h1>
        <button type="button" class="small" onClick={reload}>
          Refresh
        </button>
      </header>
      <SessionSelect sessions={state.sessions} value={sessionId} onChange={setChosen} />
      {problem !== "" && <p class="banner error">{problem}</p>}
      {value?.problems.map((text) => (
        <p key={text} class="banner error">
          {text}
        </p>
      ))}
      {value === undefined && problem === "" && <p class="why">Loading…</p>}
      {value && !value.isLive && value.servers.length > 0 && (
        <p class="why">
          No agent is running for this session, so the state of its servers is unknown. Send a prompt to start
          one.
        </p>
      )}
      {value?.servers.length === 0 && (
        <p class="panel empty-panel">No MCP servers yet. They give agents more tools; add one below.</p>
      )}
      {value && value.servers.length > 0 && (
        <ul class="rows panel" aria-label="MCP servers">
          {value.servers.map((server) => (
            <ServerRow
              key={server.name}
              server={server}
              isLive={value.isLive}
              onReconnect={() => void act(() => tooling.reconnectMcpServer({ sessionId, name: server.name }))}
              onRemove={() =>
                void act(() =>
                  tooling.removeMcpServer({ cwd: folderOf(session), scope: server.scope, name: server.name }),
                )
              }
            />
          ))}
        </ul>
      )}
      <McpForm app={app} cwd={folderOf(session)} onAdded={reload} />
    </div>
  );
}

const folderOf = (session: Session | undefined) => session?.cwd ?? "";

interface SessionSelectProps {
  readonly sessions: readonly Session[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}

function SessionSelect({ sessions, value, onChange }: SessionSelectProps) {
  if (sessions.length === 0)
    return <p class="why">No sessions yet. These are the servers for the daemon's working directory.</p>;
  return (
    <label class="period">
      Session
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {sessions.map((session) => (
          <option key={session.id} value={session.id}>
            {titleOfSession(session)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ServerRowProps {
  readonly server: ListedMcpServer;
  readonly isLive: boolean;
  readonly onReconnect: () => void;
  readonly onRemove: () => void;
}

function ServerRow({ server, isLive, onReconnect, onRemove }: ServerRowProps) {
  const { name, scope, target, state, error, identity, tools } = server;
  const [words, tone] = SERVER_STATES.get(state) ?? [isLive ? "not loaded by the agent" : "not started", ""];
  return (
    <li class="row server">
      <strong class={`state ${tone} row-main`}>{name}</strong>
      <span class={`tag ${tone}`}>{words}</span>
      <span class="row-about">
        {CONFIG_SCOPES.get(scope) ?? "not from a file"}
        {identity !== "" && ` · ${identity}`}
      </span>
      {isLive && (
        <button type="button" class="small" onClick={onReconnect} aria-label={`Reconnect ${name}`}>
          Reconnect
        </button>
      )}
      {scope !== ConfigScope.UNSPECIFIED && (
        <button type="button" class="small quiet danger" onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove
        </button>
      )}
      <code class="row-wide">{target}</code>
      {error !== "" && <pre class="row-wide server-error">{error}</pre>}
      {tools.length > 0 && (
        <details class="row-wide">
          <summary>{many(tools.length, "tool")}</summary>
          <dl class="server-tools">
            {tools.map((tool) => (
              <div key={tool.name}>
                <dt>
                  <code>{tool.name}</code>
                </dt>
                <dd>{tool.description}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  );
}
