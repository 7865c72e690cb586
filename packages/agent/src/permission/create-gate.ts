import type { JsonObject } from "@agentwire/protocol";
import {
  type GivenRule,
  judge,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionUpdate,
} from "@agentwire/protocol/permission";
import { errorMessage } from "@agentwire/protocol/support";
import { untilAborted } from "../abort.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { WorktreePlace } from "../tools/workspace.ts";
import {
  type Answerers,
  type AskHooks,
  type AskHost,
  askFirst,
  QuestionQueue,
  type QueueTicket,
} from "./ask.ts";
import { type LocatedCall, locateCall } from "./call.ts";
import { canUseTool, type McpServerOf } from "./can-use-tool.ts";
import { closedBelow, closesFiles } from "./closed-below.ts";
import { answeredDecision, failedDecision, settledDecision, unaskedDecision } from "./decision.ts";
import { evaluate } from "./evaluate.ts";
import { type AskEvaluation, type Conditions, sandboxConditions } from "./evaluation.ts";
import type { Gate, PermissionDecision, PermissionQuestion } from "./gate.ts";
import { HostAccess } from "./host-access.ts";
import { type BypassTerms, chooseMode, isBypassForbidden, type ModeRejection, settingsMode } from "./mode.ts";
import { describeRules, Permissions, type PermissionsOptions } from "./permissions.ts";
import { type RulePlace, rulesIn } from "./rule-place.ts";
import { suggestUpdates } from "./suggest.ts";

/** What a gate needs, and whom it may ask. */
export interface GateOptions extends PermissionsOptions {
  /** `--permission-mode`; if absent, the settings decide. */
  readonly mode?: PermissionMode;
  /** Whether the command line allows the mode bypassPermissions to be chosen later. */
  readonly allowBypass: boolean;
  /** Whether the host answers permission questions. */
  readonly hasHost: boolean;
  /** `--permission-prompts`. */
  readonly prompts: "host" | "none";
  readonly ask: AskHost;
  readonly sandbox?: Sandbox;
  /** Called when a permission update, not `setMode`, has changed the mode. */
  readonly onModeChanged: (mode: PermissionMode) => void;
  readonly runPermissionRequestHooks?: AskHooks;
  readonly mcpServerOf?: McpServerOf;
}

/** A call that hooks or the host have to decide. */
interface OpenQuestion {
  readonly call: LocatedCall;
  readonly conditions: Conditions;
  readonly evaluation: AskEvaluation;
}

/** Creates the gate of a session. */
export function createGate(options: GateOptions): Gate {
  return new SessionGate(options);
}

class SessionGate implements Gate {
  readonly #options: GateOptions;
  readonly #permissions: Permissions;
  readonly #bypass: BypassTerms;
  readonly #line = new QuestionQueue();
  readonly #hosts = new HostAccess();
  #mode: PermissionMode = "default";
  /** The mode to restore after plan mode. */
  #modeBeforePlan: PermissionMode = "default";
  /** Modes of single MCP servers. */
  readonly #overrides = new Map<string, PermissionMode>();

  constructor(options: GateOptions) {
    this.#options = options;
    this.#permissions = new Permissions(options);
    const mode = options.mode ?? settingsMode(options.settings) ?? "default";
    const launched = options.allowBypass || mode === "bypassPermissions";
    this.#bypass = { launched, settings: options.settings };
    const refusal = this.setMode(mode);
    if (refusal) options.log.warn(refusal.message, { code: refusal.code });
  }

  get mode(): PermissionMode {
    return this.#mode;
  }

  get directories(): readonly string[] {
    return [...new Set(this.#permissions.directories.map(({ path }) => path))];
  }

  describeRules(): JsonObject {
    return describeRules(this.#permissions, this.#options.cwd, this.#options.settings.errors);
  }

  forbidding(): (toolName: string) => boolean {
    const { cwd, home } = this.#options;
    const denying = this.#permissions.rules.filter(
      ({ behavior, rule }) => behavior === "deny" && rule.content === undefined,
    );
    return (toolName) => judge({ toolName, input: {} }, denying, { cwd, home }).behavior === "deny";
  }

  closing(worktree?: WorktreePlace): ((path: string) => boolean) | undefined {
    const { home } = this.#options;
    const { cwd, rules, origin } = this.#place(worktree);
    const closing = rules.filter(closesFiles);
    if (closing.length === 0) return undefined;
    const closes = (path: string, from: string, given = closing) =>
      judge({ toolName: "Read", input: { file_path: path } }, given, { cwd: from, home }).behavior !== "none";
    if (!origin) return (path) => closes(path, cwd);
    const before = origin.rules.filter(closesFiles);
    return (path) =>
      closes(path, cwd) || [path, origin.back(path)].some((one) => closes(one, origin.cwd, before));
  }

  overrideMode(server: string, mode: "default" | "auto" | null): void {
    if (mode === null) this.#overrides.delete(server);
    else this.#overrides.set(server, mode);
  }

  get rules(): readonly GivenRule[] {
    return this.#permissions.rules;
  }

  async allowsHost(host: string): Promise<boolean> {
    const { cwd, home, log } = this.#options;
    const terms = { mode: this.#mode, rules: this.rules, cwd, home };
    try {
      return await this.#hosts.allows(host, terms, this.#answerers(), (updates) => this.apply(updates));
    } catch (error) {
      log.error("a command's connection could not be checked", { host, error });
      return false;
    }
  }

  grant(rules: readonly string[]): void {
    this.#permissions.grant(rules);
  }

  get modes(): readonly PermissionMode[] {
    return PERMISSION_MODES.filter((name) => chooseMode(name, this.#bypass) === name);
  }

  setMode(name: string): ModeRejection | undefined {
    const mode = chooseMode(name, this.#bypass);
    if (typeof mode !== "string") return mode;
    if (mode === "plan" && this.#mode !== "plan") this.#modeBeforePlan = this.#mode;
    this.#mode = mode;
    return undefined;
  }

  applySettings(): void {
    if (this.#modeBeforePlan === "bypassPermissions" && isBypassForbidden(this.#bypass.settings))
      this.#modeBeforePlan = "default";
    if (this.#mode === "bypassPermissions" && isBypassForbidden(this.#bypass.settings))
      this.#switchMode("default");
  }

  leavePlanMode(): void {
    // The approval of the plan may already have set a mode.
    if (this.#mode === "plan") this.#switchMode(this.#modeBeforePlan);
  }

  async apply(updates: readonly PermissionUpdate[]): Promise<void> {
    for (const update of updates) {
      if (update.type === "setMode" && !this.#switchMode(update.mode)) continue;
      await this.#permissions.apply(update);
    }
  }

  async decide(question: PermissionQuestion): Promise<PermissionDecision> {
    this.applySettings();
    let place: QueueTicket | undefined;
    try {
      // Calls that change something ask one at a time: the answer to one may settle the others.
      if (!question.tool.isReadOnly(question.input)) place = this.#line.enter();
      const considered = await this.#consider(question);
      if ("behavior" in considered) return considered;
      if (place) await untilAborted(place.ready, question.signal, () => {});
      return await this.#ask(question);
    } catch (error) {
      this.#options.log.error("a permission could not be checked", { tool: question.tool.name, error });
      return failedDecision(question.tool.name, error);
    } finally {
      place?.leave();
    }
  }

  async mayLook(question: PermissionQuestion): Promise<boolean> {
    try {
      const { home } = this.#options;
      const call = await locateCall(question, { home, roots: this.#roots(question) });
      const place = this.#place(question.workspace.worktree);
      const conditions = { mode: this.#modeFor(question), ...place, home };
      const { behavior } = evaluate(call, conditions);
      if (behavior !== "ask") return behavior === "allow";
      return !call.unclear && call.accesses.every(({ inside }) => inside);
    } catch {
      return false;
    }
  }

  async ruledOut(question: PermissionQuestion): Promise<string | undefined> {
    try {
      const considered = await this.#consider(question);
      if ("behavior" in considered) return considered.behavior === "deny" ? considered.message : undefined;
      const { reasonType, reason } = considered.evaluation;
      return reasonType === "rule" ? (reason ?? "a rule requires asking") : undefined;
    } catch (error) {
      return errorMessage(error);
    }
  }

  /** The decision, or the question that is still open. */
  async #consider(question: PermissionQuestion): Promise<PermissionDecision | OpenQuestion> {
    const { tool, input, hookDecision, hookReason } = question;
    const { home } = this.#options;
    const call = await locateCall(question, { home, roots: this.#roots(question) });
    const place = this.#place(question.workspace.worktree);
    const closed = await this.#closedBelow(call, place);
    const sandbox = sandboxConditions(call, this.#options.sandbox);
    const mode = this.#modeFor(question);
    const conditions = { mode, ...place, home, hookDecision, hookReason, closed, sandbox };
    const evaluation = evaluate(call, conditions);
    if (evaluation.behavior !== "ask") return settledDecision(evaluation, tool.name, input);
    if (conditions.mode === "dontAsk") return unaskedDecision(tool.name, conditions.mode);
    return { call, conditions, evaluation };
  }

  async #ask(question: PermissionQuestion): Promise<PermissionDecision> {
    const { tool, input, signal } = question;
    // The rules or the mode may have changed while the call was queued.
    const considered = await this.#consider(question);
    if ("behavior" in considered) return considered;
    const { call, conditions, evaluation } = considered;
    const suggestions = suggestUpdates(call, evaluation, conditions);
    const request = canUseTool(question, evaluation, suggestions, this.#options.mcpServerOf);
    const answer = await askFirst(this.#answerers(), request, signal);
    if ("result" in answer && answer.result.behavior === "allow")
      await this.apply(answer.result.updatedPermissions ?? []);
    return answeredDecision(answer, tool.name, input, evaluation);
  }

  /** A call in a worktree belongs to the worktree, not to the folder it was made from. */
  #roots({ workspace: { worktree } }: PermissionQuestion): readonly string[] {
    return [worktree?.path ?? this.#options.cwd, ...this.directories];
  }

  #place(worktree: WorktreePlace | undefined): RulePlace {
    return rulesIn(worktree, { cwd: this.#options.cwd, rules: this.#permissions.rules });
  }

  async #closedBelow(call: LocatedCall, { cwd, rules, origin }: RulePlace): Promise<GivenRule | undefined> {
    const { home } = this.#options;
    const closed = await closedBelow(call, rules, { cwd, home });
    if (closed || !origin) return closed;
    return closedBelow(origin.sees(call), origin.rules, { cwd: origin.cwd, home });
  }

  #modeFor({ tool, mode: wanted }: PermissionQuestion): PermissionMode {
    const mode = wanted === undefined ? this.#mode : this.#modeOfSubagent(wanted);
    if (mode !== "bypassPermissions" && mode !== "auto") return mode;
    const server = this.#options.mcpServerOf?.(tool.name)?.name;
    return (server !== undefined && this.#overrides.get(server)) || mode;
  }

  /** A subagent's own mode applies if it is stricter, or if the session is in the default mode. */
  #modeOfSubagent(name: string): PermissionMode {
    const mode = chooseMode(name, this.#bypass);
    if (typeof mode !== "string") return this.#mode;
    const isStricter = (mode === "plan" || mode === "dontAsk") && this.#mode !== "dontAsk";
    return isStricter || this.#mode === "default" ? mode : this.#mode;
  }

  #answerers(): Answerers {
    const { hasHost, prompts, ask, runPermissionRequestHooks } = this.#options;
    return { host: hasHost && prompts === "host" ? ask : undefined, hooks: runPermissionRequestHooks };
  }

  #switchMode(name: PermissionMode): boolean {
    const before = this.#mode;
    const refusal = this.setMode(name);
    if (refusal) this.#options.log.warn(refusal.message, { code: refusal.code });
    else if (this.#mode !== before) this.#options.onModeChanged(this.#mode);
    return refusal === undefined;
  }
}
