import { errorMessage } from "@agentwire/protocol/support";
import { copyCheckpoints } from "../checkpoint/checkpoints.ts";
import type { Config } from "../config/config.ts";
import { modelSources } from "../config/model-sources.ts";
import { tidyOutputs } from "../files/output-folder.ts";
import type { HostLink } from "../host/host-link.ts";
import type { LongTermMemory } from "../memory/long-term-memory.ts";
import { chooseModel } from "../model/choose-model.ts";
import { LiveModel } from "../model/live-model.ts";
import { fileStore } from "../store/files.ts";
import { copyHistory } from "../store/load.ts";
import type { Store } from "../store/store.ts";
import { forgetShells } from "../tools/bash/command.ts";
import { checkSchema } from "../tools/session/structured-output.ts";
import { taskPrompt } from "./background.ts";
import { buildContext } from "./build-context.ts";
import type { SessionContext } from "./context.ts";
import { HostInput } from "./host-input.ts";
import { Session } from "./session.ts";
import { checkSandbox } from "./session-sandbox.ts";
import { readSettings, type StartupError, withSettingsEnv } from "./session-settings.ts";
import { TurnLock } from "./turn-lock.ts";
import { watchFiles } from "./watch-files.ts";

/** A session that is ready to serve. */
export interface ReadyAgent {
  readonly kind: "ready";
  readonly session: Session;
  /** Ends everything that the session started. */
  close(): Promise<void>;
}

/** An agent, or why it refuses to start. */
export type AssembleResult = ReadyAgent | StartupError;

/** What a session can be given from outside. */
export interface SessionDependencies {
  /** Where it is stored; files by default. */
  readonly store?: Store;
  /** Shared by sessions that take turns. */
  readonly turnLock?: TurnLock;
  /** Shared by sessions that use the same model. */
  readonly choose?: typeof chooseModel;
  /** Shared by the sessions of a database. */
  readonly memory?: LongTermMemory | undefined;
  /** Shared with the reader of the host's lines. */
  readonly hostInput?: HostInput;
}

/** How long the last hooks may take. */
const LAST_HOOKS_MS = 5000;

/** Assembles a session from its settings, its stored conversation and its model. */
export async function assemble(
  given: Config,
  host: HostLink,
  complain: (text: string) => void,
  dependencies: SessionDependencies = {},
): Promise<AssembleResult> {
  const {
    store = fileStore(given),
    choose = chooseModel,
    memory,
    hostInput = new HostInput(),
  } = dependencies;
  if (given.jsonSchema !== undefined) await checkSchema(given.jsonSchema);
  const settings = await readSettings(given, complain);
  if ("reason" in settings) return settings;
  const asked = withSettingsEnv(given, settings);
  const noSandbox = await checkSandbox(asked, settings, complain);
  if (noSandbox) return noSandbox;
  const [opening, choice] = await Promise.all([
    store.open(),
    choose(modelSources(asked, settings.effective)),
  ]);
  if (opening.kind === "refused") return opening;
  const consolidates = choice.kind !== "offline";
  if (!consolidates)
    complain(
      "agentwire-agent: no API key is set, so the offline demo answers; set ANTHROPIC_API_KEY to talk to Claude\n",
    );
  for (const fault of choice.providers.faults) complain(`agentwire-agent: ${fault}\n`);
  const config = { ...asked, modelNames: { ...asked.modelNames, standing: choice.standing } };
  const { providers } = choice;
  const model = new LiveModel(choice.model);
  const known = {
    config,
    host,
    complain,
    settings,
    opening,
    model,
    providers,
    memory,
    consolidates,
    hostInput,
  };
  const context = await buildContext(known, store, dependencies.turnLock ?? new TurnLock(), () =>
    session.interrupt(),
  );
  const session = new Session(context);
  const close = begin(context);
  await takeOver(context);
  const refusal = await enterWorktree(context);
  if (refusal) await close();
  return refusal ?? { kind: "ready", session, close };
}

/** Starts the session's background work; returns the function that ends it. */
function begin(context: SessionContext): () => Promise<void> {
  const { hooks, gate, workspace, inbox, host, suggestions, mcp, records } = context;
  const ending = new AbortController();
  const watch = watchFiles({ ...context, onSettings: () => gate.applySettings(), signal: ending.signal });
  watch.begin();
  void workspace.sandbox?.open(workspace.roots);
  workspace.tasks.onEnded = (task, summary) =>
    inbox.add(taskPrompt(task, summary, !host.expectations.injects));
  return async () => {
    suggestions.stop();
    watch.end();
    ending.abort();
    const signal = AbortSignal.timeout(LAST_HOOKS_MS);
    if (context.hasStarted && hooks.listens("SessionEnd"))
      await hooks.run("SessionEnd", { reason: "other" }, { signal });
    await workspace.tasks.stopAll(mcp.close());
    await workspace.sandbox?.close();
    await forgetShells(workspace.tasks.groups);
    await Promise.all([records.flush(), tidyOutputs(workspace.outputFolder)]);
  };
}

/** Copies the state of the original session into a fork. */
async function takeOver({ opening, records, deferredCall, config }: SessionContext): Promise<void> {
  const { earlier, copied, sessionId } = opening;
  if (!earlier || copied.length === 0) return;
  copyHistory(copied, records.main);
  if (earlier.deferredCall) deferredCall.keep(earlier.deferredCall);
  await copyCheckpoints(config.configDir, earlier.sessionId, sessionId);
}

/** Enters the worktree that `--worktree` asks for, or the one that the session was in before. Returns the error if that fails. */
async function enterWorktree(context: SessionContext): Promise<StartupError | undefined> {
  const { config, ownWorktree, workspace, complain, opening } = context;
  const { signal } = new AbortController();
  if (!config.worktree) return reenterWorktree(context, signal);
  const earlier = opening.earlier?.worktree;
  if (earlier) return { kind: "refused", reason: IN_ONE_ALREADY };
  try {
    const { place, branch } = await ownWorktree.enter(config.worktree, { workspace, signal });
    complain(`agentwire-agent: working in ${place.path}${branch ? ` on the branch ${branch}` : ""}\n`);
    return undefined;
  } catch (error) {
    return { kind: "refused", reason: `--worktree: ${errorMessage(error)}` };
  }
}

const IN_ONE_ALREADY =
  "--worktree: the session already has its own worktree, and continues there without this flag";

/** A missing worktree does not keep the session from continuing, but the user has to know. */
async function reenterWorktree(
  { ownWorktree, workspace, opening, outlet, complain }: SessionContext,
  signal: AbortSignal,
): Promise<undefined> {
  const earlier = opening.earlier?.worktree;
  if (!earlier) return;
  try {
    await ownWorktree.enterAgain(earlier, { workspace, signal });
  } catch (error) {
    const why = errorMessage(error);
    const content = `The session's worktree can't be entered again, so it continues in ${workspace.cwd}: ${why}`;
    complain(`agentwire-agent: ${content}\n`);
    outlet.tell({ type: "system", subtype: "informational", content, level: "warning" });
  }
}
