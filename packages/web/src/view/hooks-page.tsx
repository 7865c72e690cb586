import { ConfigScope, type Hook, ToolingService } from "@agentwire/api";
import { useState } from "preact/hooks";
import type { App } from "../app.ts";
import { HOOK_SCOPES } from "../text/tooling-words.ts";
import { HookEventFields, type HookEvents, matchedField } from "./hook-event-fields.tsx";
import { HookTrial } from "./hook-trial.tsx";
import { ScopeSelect } from "./scope-select.tsx";
import type { ViewProps } from "./shell.tsx";
import { ADD, ToolForm, useSubmission } from "./tool-form.tsx";
import { ToolsNav } from "./tools-nav.tsx";
import { useRecentFolders } from "./use-folder.ts";
import { useLoaded } from "./use-loaded.ts";

/** Lists hooks, adds and removes them, and shows which would run at an event. */
export function HooksPage({ app }: ViewProps) {
  const tooling = app.client.connect(ToolingService);
  const folders = useRecentFolders(app);
  const [chosen, setChosen] = useState("");
  const cwd = chosen || (folders[0] ?? "");
  const { value, problem, reload } = useLoaded(app, cwd, () => tooling.listHooks({ cwd }));
  const remove = async ({ id, scope }: Hook) => {
    await app.attempt(() => tooling.removeHook({ cwd, scope, id }));
    reload();
  };
  return (
    <div class="page">
      <ToolsNav at="hooks" />
      <h1>Hooks</h1>
      <p class="why">Commands that agents run at certain events, such as before each tool call.</p>
      {folders.length > 0 && (
        <label class="period">
          Folder
          <select value={cwd} onChange={(event) => setChosen(event.currentTarget.value)}>
            {folders.map((path) => (
              <option key={path}>{path}</option>
            ))}
          </select>
        </label>
      )}
      {[problem, ...(value?.problems ?? [])].filter(Boolean).map((text) => (
        <p key={text} class="banner error">
          {text}
        </p>
      ))}
      {value && value.disabledBy !== "" && (
        <p class="banner error">No hooks run: disableAllHooks is set in {value.disabledBy}.</p>
      )}
      {value === undefined && problem === "" && <p class="why">Loading…</p>}
      {value?.hooks.length === 0 && (
        <p class="panel empty-panel">No hooks in the settings files that apply here.</p>
      )}
      {value && value.hooks.length > 0 && (
        <ul class="panel rows" aria-label="Hooks">
          {value.hooks.map((hook) => (
            <HookRow key={`${hook.path} ${hook.id}`} hook={hook} onRemove={() => void remove(hook)} />
          ))}
        </ul>
      )}
      {value && <HookForm app={app} cwd={cwd} events={value.events} onAdded={reload} />}
      {value && <HookTrial app={app} cwd={cwd} events={value.events} />}
    </div>
  );
}

function HookRow({ hook, onRemove }: { readonly hook: Hook; readonly onRemove: () => void }) {
  const { event, matcher, command, scope, path, problem, plugin } = hook;
  const isFixed = scope === ConfigScope.MANAGED || scope === ConfigScope.PLUGIN;
  return (
    <li class="row">
      <span class="tag">{event}</span>
      <code class="row-main">{command}</code>
      <span class="row-about" title={path}>
        {matcher === "" ? "always" : matcher} ·{" "}
        {plugin === "" ? HOOK_SCOPES.get(scope) : `plugin ${plugin}, Claude Code only`}
      </span>
      {!isFixed && (
        <button type="button" class="small quiet danger" onClick={onRemove} aria-label={`Remove ${command}`}>
          Remove
        </button>
      )}
      {problem !== "" && <p class="row-wide field-problem">Never runs: {problem}</p>}
    </li>
  );
}

interface HookFormProps {
  readonly app: App;
  readonly cwd: string;
  readonly events: HookEvents;
  readonly onAdded: () => void;
}

function HookForm({ app, cwd, events, onAdded }: HookFormProps) {
  const [event, setEvent] = useState("PreToolUse");
  const [matcher, setMatcher] = useState("");
  const [command, setCommand] = useState("");
  const [scope, setScope] = useState(ConfigScope.LOCAL);
  const field = matchedField(events, event);
  const submission = useSubmission(async () => {
    await app.client
      .connect(ToolingService)
      .addHook({ cwd, scope, event, matcher: field === "" ? "" : matcher.trim(), command: command.trim() });
    setCommand("");
    onAdded();
    return undefined;
  });
  return (
    <ToolForm {...submission} label="New hook" title="New hook" action={ADD}>
      <div class="fields">
        <HookEventFields
          events={events}
          event={event}
          onEvent={setEvent}
          label={(field) => `Matcher (${field})`}
          placeholders={["Edit|Write", "everything"]}
          value={matcher}
          onValue={setMatcher}
        />
        <ScopeSelect value={scope} onChange={setScope} />
      </div>
      <label>
        Command
        <input
          required
          value={command}
          placeholder="npx prettier --check ."
          spellcheck={false}
          onInput={({ currentTarget }) => setCommand(currentTarget.value)}
        />
      </label>
    </ToolForm>
  );
}
