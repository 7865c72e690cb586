import type { Item } from "@agentwire/view/timeline";
import { useEffect, useState } from "preact/hooks";
import { Composer } from "./composer.tsx";
import { FailedTurn } from "./failed-turn.tsx";
import { Folder, IsOurs } from "./folder.ts";
import { isFree } from "./free-key.ts";
import { History } from "./history.tsx";
import { InputRequest } from "./input-request.tsx";
import { QuestionDock } from "./question-dock.tsx";
import { Queue } from "./queue.tsx";
import { SessionBudgets } from "./session-budgets.tsx";
import { SessionHead } from "./session-head.tsx";
import type { ViewProps } from "./shell.tsx";
import { TaskStreams } from "./task-streams.tsx";
import { TodoPanel } from "./todo-panel.tsx";
import { WaitingNav } from "./waiting-nav.tsx";
import { Watchers } from "./watchers.tsx";

/** One session: its header, history, questions and prompt field. */
export function SessionPage({ app, state, id }: ViewProps & { readonly id: string }) {
  const [isBudgetShown, setBudgetShown] = useState(false);
  const [isWithRaw, setWithRaw] = useState(false);
  const [isFinding, setFinding] = useState(false);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key !== "f" || !isFree(event) || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      setFinding(true);
    };
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, []);
  const view = state.open?.id === id ? state.open.view : undefined;
  if (!view || view.type === "loading") return <p class="splash">Loading…</p>;
  if (view.type === "missing")
    return (
      <div class="home">
        <h1>This session can't be shown</h1>
        <p>{view.reason}</p>
        <p>
          <a class="button" href="#/">
            All sessions
          </a>
        </p>
      </div>
    );
  const listed = state.sessions.find((session) => session.id === id);
  return (
    <Folder.Provider value={view.facts.session.cwd}>
      <IsOurs.Provider value={app.client.isOurs}>
        <div class={isWithRaw ? "session with-raw" : "session"}>
          <SessionHead
            app={app}
            session={listed ?? view.facts.session}
            facts={view.facts}
            nearness={view.nearness}
            onBudget={() => setBudgetShown(!isBudgetShown)}
            onRaw={() => setWithRaw(!isWithRaw)}
            onFind={() => setFinding(true)}
          />
          <History
            app={app}
            view={view}
            seq={state.route.view === "session" ? state.route.seq : undefined}
            isFinding={isFinding}
            onFound={() => setFinding(false)}
          />
          <footer class="foot">
            <div class="foot-upper">
              <TodoPanel todos={view.facts.todos ?? []} />
              <TaskStreams app={app} sessionId={id} tasks={view.facts.tasks} items={view.excerpt.items} />
              <QuestionDock app={app} facts={view.facts} />
              <FailedTurn app={app} sessionId={id} facts={view.facts} />
              <Queue app={app} sessionId={id} queue={view.facts.queue} status={view.facts.status} />
              <SessionBudgets app={app} sessionId={id} facts={view.facts} isAsked={isBudgetShown} />
              <InputRequest app={app} sessionId={id} input={view.facts.input} />
              <Watchers app={app} sessionId={id} />
              <WaitingNav app={app} state={state} id={id} />
            </div>
            <Composer app={app} sessionId={id} facts={view.facts} said={saidIn(view.excerpt.items)} />
          </footer>
        </div>
      </IsOurs.Provider>
    </Folder.Provider>
  );
}

/** The texts of the loaded prompts. */
const saidIn = (items: readonly Item[]): readonly string[] =>
  items.flatMap((item) => (item.kind === "prompt" && item.text !== "" ? [item.text] : []));
