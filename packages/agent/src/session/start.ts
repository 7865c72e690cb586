import { randomUUID } from "node:crypto";
import type { AgentDefinition } from "@agentwire/protocol/control";
import { withGrace } from "../abort.ts";
import type { Compactable } from "../compact/compaction.ts";
import { tellInstructions } from "../hooks/instructions.ts";
import { plainPrompt } from "../prompt.ts";
import type { Withheld } from "../settings/untrusted.ts";
import { agentContext } from "../subagent/agent-context.ts";
import { ownServers } from "../subagent/definition.ts";
import { tellBackgroundTasks } from "../tasks/notices.ts";
import { reminder } from "../turn/history.ts";
import { environment } from "../turn/system-prompt.ts";
import type { SessionContext } from "./context.ts";
import { mainAgent, nextCall } from "./next-call.ts";
import { startPluginServers } from "./servers.ts";

/** Runs before the first turn; its additions are at the start of the conversation. */
export async function start(context: SessionContext, signal: AbortSignal): Promise<void> {
  const { files, hostOptions, opening, records } = context;
  context.hasStarted = true;
  await files.load();
  await startPluginServers(context);
  await tellWithheld(context);
  const agent = mainAgent(context);
  const firstPrompt = playAgent(context, agent);
  if (agent) await equip(context, agent);
  if (hostOptions.title !== undefined && hostOptions.title !== "") records.rename(hostOptions.title);
  await open(context, opening.earlier ? (opening.copied.length > 0 ? "fork" : "resume") : "startup", signal);
  if (firstPrompt !== undefined) await say(context, firstPrompt, signal);
}

/** Resolves when the tools that turns need are available. */
export async function ready({ models, mcp, files }: SessionContext, signal: AbortSignal): Promise<void> {
  const switched = withGrace(models.settled(), signal).catch(() => {});
  await Promise.all([mcp.settled(signal), files.load(), switched]);
}

/** Clears the conversation and starts a new one under a new id, in the same process. */
export async function clearSession(context: SessionContext, signal: AbortSignal): Promise<void> {
  const { outlet, records, history, hooks, costs, workspace } = context;
  if (hooks.listens("SessionEnd")) await hooks.run("SessionEnd", { reason: "clear" }, { signal });
  await records.flush();
  const id = randomUUID();
  outlet.tell({
    type: "conversation_reset",
    new_conversation_id: id,
    uuid: id,
    trigger: "clear",
    timestamp: new Date().toISOString(),
  });
  tellBackgroundTasks(workspace);
  records.begin();
  history.replace([]);
  costs.reset();
  workspace.files.clear();
  workspace.edited.clear();
  await restart(context, "clear", signal);
}

/** The session as compaction needs it; `openTurn` tells the host that the turn starts. */
export function compactable(context: SessionContext, openTurn: () => void): Compactable {
  const { history, records, outlet } = context;
  return {
    services: context,
    history,
    records,
    outlet,
    nextCall: () => nextCall(context),
    open: openTurn,
    restart: (signal) => restart(context, "compact", signal),
  };
}

function restart(context: SessionContext, source: "clear" | "compact", signal: AbortSignal): Promise<void> {
  context.systemPrompt.forget();
  return open(context, source, signal);
}

/**
 * Sets the session up as the agent that `--agent` names; warns the host if there is none of that name. Returns the agent's
 * initial prompt.
 */
function playAgent(context: SessionContext, agent: AgentDefinition | undefined): string | undefined {
  const { config, outlet, models, gate, history } = context;
  const name = config.agent;
  if (name === undefined || name === "") return undefined;
  if (!agent) {
    const content = `Unknown agent ${name}; the session continues without it.`;
    outlet.tell({ type: "system", subtype: "informational", content, level: "warning" });
    return undefined;
  }
  const { model, permissionMode, initialPrompt, effort } = agent;
  if (model !== undefined && model !== "inherit") models.suggest(model);
  if (typeof effort === "string" && config.effort === undefined) models.setEffort(effort);
  if (permissionMode !== undefined && config.permissionMode === undefined) gate.setMode(permissionMode);
  return history.messages.length === 0 ? initialPrompt : undefined;
}

/** Gives the session the tools, servers and memory that its agent asks for. */
async function equip(context: SessionContext, agent: AgentDefinition): Promise<void> {
  const { config, files, history, mcp } = context;
  mcp.start(ownServers(agent));
  const name = config.agent ?? "";
  context.played = await agentContext(name, agent, { config, known: files.known });
  if (history.messages.length === 0) history.add("user", context.played.opening.map(reminder));
}

/**
 * Adds what a conversation starts with besides the first prompt: the additions of SessionStart hooks, and what the system prompt
 * leaves out.
 */
async function open(
  context: SessionContext,
  source: "startup" | "resume" | "fork" | "clear" | "compact",
  signal: AbortSignal,
): Promise<void> {
  const { hooks, history, models, hostOptions, workspace, files, config, records } = context;
  const isNew = source !== "resume" && source !== "fork";
  if (hostOptions.excludeDynamicSections && isNew) {
    const { memory } = await files.load();
    const notes = [memory, context.memory?.overview ?? ""].filter((text) => text !== "");
    const where = environment({ cwd: workspace.cwd, roots: workspace.roots, model: models.current });
    history.add("user", [reminder(where), ...notes.map(reminder)]);
  }
  if (isNew) {
    context.nestedMemory.forget();
    const { memoryFiles } = await files.load();
    await tellInstructions(hooks, memoryFiles, source === "compact" ? "compact" : "session_start", signal);
  }
  for (const trigger of ["init", "maintenance"] as const) {
    if (source === "clear" || source === "compact" || !config.setupTriggers.includes(trigger)) continue;
    if (hooks.listens("Setup")) history.remark((await hooks.run("Setup", { trigger }, { signal })).context);
  }
  if (!hooks.listens("SessionStart")) return;
  const { agent } = config;
  const facts = { source, model: models.current, ...(agent && { agent_type: agent }) };
  const said = await hooks.run("SessionStart", facts, { signal });
  // When a conversation continues, a tool result may have to come first.
  if (isNew) history.add("user", said.context.map(reminder));
  else history.remark(said.context);
  const { initialUserMessage, sessionTitle, reloadSkills } = said.specific;
  if (typeof sessionTitle === "string" && sessionTitle !== "") records.rename(sessionTitle);
  if (reloadSkills === true) await files.reload();
  if (typeof initialUserMessage === "string") await say(context, initialUserMessage, signal);
}

/** Starts the conversation with a prompt that the user did not write. */
async function say(context: SessionContext, text: string, signal: AbortSignal): Promise<void> {
  const { intake, history, records, deferredCall } = context;
  if (text.trim() === "" || deferredCall.call) return;
  const { uuid, content } = await intake.expand(plainPrompt(text), signal);
  history.add("user", content, uuid);
  records.add({ uuid, type: "user", message: { role: "user", content } });
}

/** The maximum number of entries to name; the others are counted. */
const MAX_NAMED = 40;

/** Tells the user which of the project's files are ignored. */
async function tellWithheld({ config, outlet, withheld, complain }: SessionContext): Promise<void> {
  const content = withheldText(config.projectRoot, await withheld());
  if (content === undefined) return;
  complain(`agentwire-agent: ${content}\n`);
  outlet.tell({ type: "system", subtype: "informational", content, level: "warning" });
}

/** What is ignored, and how to change that; undefined if nothing is. */
function withheldText(folder: string, withheld: readonly Withheld[]): string | undefined {
  if (withheld.length === 0) return undefined;
  const named = withheld.slice(0, MAX_NAMED).map(({ path, what }) => `  ${path}: ${what}`);
  const more = withheld.length > MAX_NAMED ? [`  and ${withheld.length - MAX_NAMED} more`] : [];
  return [
    `${folder} is not trusted, so this does not apply:`,
    ...named,
    ...more,
    `If you trust it, run: agentwire-agent trust ${folder} (or start with --trust)`,
  ].join("\n");
}
