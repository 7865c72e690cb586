import type { App } from "../app.ts";
import type { State } from "../state.ts";
import { Home } from "./home.tsx";
import { lazy } from "./lazy.tsx";
import { Shortcuts } from "./shortcuts.tsx";
import { Sidebar } from "./sidebar.tsx";
import { Brand, SignIn } from "./sign-in.tsx";
import { Toasts } from "./toasts.tsx";

const WAITING = <p class="splash" aria-busy="true" />;
const Health = lazy(async () => (await import("./health.tsx")).Health, WAITING);
const NewSession = lazy(async () => (await import("./new-session.tsx")).NewSession, WAITING);
const UsagePage = lazy(async () => (await import("./usage.tsx")).UsagePage, WAITING);
const LocalSessions = lazy(async () => (await import("./local-sessions.tsx")).LocalSessions, WAITING);
const SearchPage = lazy(async () => (await import("./search-page.tsx")).SearchPage, WAITING);
const RulesPage = lazy(async () => (await import("./rules-page.tsx")).RulesPage, WAITING);
const McpPage = lazy(async () => (await import("./mcp-page.tsx")).McpPage, WAITING);
const HooksPage = lazy(async () => (await import("./hooks-page.tsx")).HooksPage, WAITING);
const DevicePage = lazy(async () => (await import("./device-page.tsx")).DevicePage, WAITING);
const NodesPage = lazy(async () => (await import("./nodes-page.tsx")).NodesPage, WAITING);
const SessionPage = lazy(async () => (await import("./session-page.tsx")).SessionPage, WAITING);

/** Preloads the session page, which users usually open next. */
export const loadAhead = (): Promise<unknown> => SessionPage.load().catch(() => {});

/** The props of every view: the state to show, and the app for actions. */
export interface ViewProps {
  readonly app: App;
  readonly state: State;
}

/** The whole page. */
export function Shell({ app, state }: ViewProps) {
  if (state.isSignedIn === false) return <SignIn app={app} state={state} />;
  if (state.isSignedIn === undefined && state.isReachable)
    return <p class="splash">Connecting to the daemon…</p>;
  if (state.isSignedIn === undefined) return <NoDaemon />;
  return (
    <div class={`shell ${state.route.view === "home" ? "at-home" : ""}`}>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <Sidebar app={app} state={state} />
      <main id="main" tabIndex={-1}>
        {!state.isReachable && (
          <p class="banner warning" role="status">
            The daemon does not answer. This page may be out of date; reconnecting…
          </p>
        )}
        {state.route.view !== "session" && (
          <a class="back" href="#/">
            ‹ All sessions
          </a>
        )}
        <Page app={app} state={state} />
      </main>
      <Shortcuts app={app} state={state} />
      <Toasts app={app} toasts={state.toasts} />
    </div>
  );
}

/** Shown when the cached page is opened while no daemon answers. */
function NoDaemon() {
  return (
    <main class="sign-in">
      <Brand />
      <p class="banner warning" role="alert">
        The daemon does not answer at {location.host}.
      </p>
      <p>
        Your sessions are saved. Start the daemon with{" "}
        <code>agentwire web --port {location.port || "443"}</code>; this page reconnects automatically.
      </p>
    </main>
  );
}

function Page({ app, state }: ViewProps) {
  switch (state.route.view) {
    case "session":
      return <SessionPage key={state.route.id} app={app} state={state} id={state.route.id} />;
    case "new":
      return <NewSession app={app} state={state} />;
    case "health":
      return <Health app={app} state={state} />;
    case "usage":
      return <UsagePage app={app} state={state} />;
    case "local":
      return <LocalSessions app={app} />;
    case "search":
      return <SearchPage app={app} query={state.route.query} />;
    case "rules":
      return <RulesPage app={app} state={state} />;
    case "mcp":
      return <McpPage app={app} state={state} />;
    case "hooks":
      return <HooksPage app={app} state={state} />;
    case "nodes":
      return <NodesPage app={app} />;
    case "device":
      return <DevicePage app={app} />;
    case "home":
      return <Home state={state} />;
  }
}
