import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { errorMessage } from "@agentwire/protocol/support";
import { HostError } from "../errors.ts";
import type { ClaimOptions, Prompt, Query, SpareProcess } from "../sdk/query.ts";
import type { AgentQuery } from "./query.ts";
import { type StartupParams, warmUp } from "./startup.ts";

type Claimed = Awaited<SpareProcess["claimed"]>;

const START_MS = 60_000;
/** Settings that must apply before any hook runs: a claim would be too late for them. */
const HOOK_SETTINGS = [
  "hooks",
  "disableAllHooks",
  "allowManagedHooksOnly",
  "allowedHttpHookUrls",
  "httpHookAllowedEnvVars",
] as const;
/** Settings that only a session has, so they are applied after the claim. */
const SESSION_SETTINGS: ReadonlySet<string> = new Set([
  "model",
  "agent",
  "fastMode",
  "permissions",
  "availableModels",
  "disableAutoMode",
]);

/** Starts an agent before the session it will serve is known; `claim` gives it one. */
export async function prewarm(params: StartupParams = {}): Promise<SpareProcess> {
  const { options = {}, initializeTimeoutMs = START_MS } = params;
  if (options.resume || options.continue || options.forkSession)
    throw new HostError(
      "invalid_option",
      "resume, continue and forkSession name a session; a spare has none",
    );
  const parked = options.cwd === undefined ? await parkingFolder(options.env) : undefined;
  const removeParking = async () => {
    if (parked !== undefined) await rm(parked, { recursive: true, force: true }).catch(() => undefined);
  };
  try {
    const query = await warmUp({
      options: {
        ...options,
        cwd: options.cwd ?? (parked as string),
        extraArgs: { ...options.extraArgs, "await-claim": null },
      },
      initializeTimeoutMs,
    });
    const servers = Object.entries(options.mcpServers ?? {}).flatMap(([name, { type }]) =>
      type === "sdk" ? [name] : [],
    );
    return new Spare(query, servers, removeParking);
  } catch (error) {
    await removeParking();
    throw error;
  }
}

async function parkingFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string> {
  const config = env.CLAUDE_CONFIG_DIR?.trim() || join(env.HOME?.trim() || homedir(), ".claude");
  const spares = join(isAbsolute(config) ? config : join(homedir(), ".claude"), "spares");
  await mkdir(spares, { recursive: true, mode: 0o700 });
  return await mkdtemp(join(spares, "spare-"));
}

class Spare implements SpareProcess {
  readonly claimed: Promise<Claimed>;
  readonly exited: Promise<void>;
  readonly #query: AgentQuery;
  readonly #servers: readonly string[];
  readonly #removed: Promise<void>;
  #settle: { resolve: (claimed: Claimed) => void; reject: (reason: Error) => void };
  #state: "parked" | "claimed" | "closed" = "parked";

  constructor(query: AgentQuery, servers: readonly string[], removeParking: () => Promise<void>) {
    this.#query = query;
    this.#servers = servers;
    this.#settle = { resolve: () => {}, reject: () => {} };
    this.claimed = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.claimed.catch(() => undefined);
    this.exited = query.gone();
    this.#removed = this.exited.then(() => {
      if (this.#state === "parked")
        this.#settle.reject(failure("spare_exited", "the agent exited unclaimed"));
      if (this.#state === "parked") this.#state = "closed";
      return removeParking();
    });
  }

  claim({ prompt, options }: { prompt: Prompt; options: ClaimOptions }): Query {
    if (this.#state !== "parked") throw failure("closed", "this spare was claimed, closed or has exited");
    const late = HOOK_SETTINGS.filter((name) => options.settings?.[name] !== undefined);
    if (late.length > 0)
      throw new HostError("invalid_option", `${late.join(", ")}: pass hook settings to prewarm()`);
    this.#state = "claimed";
    void this.#claim(prompt, options);
    return this.#query;
  }

  close(): void {
    if (this.#state === "parked")
      this.#settle.reject(failure("spare_closed", "the spare was closed unclaimed"));
    this.#state = "closed";
    this.#query.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    await this.#removed;
  }

  async #claim(prompt: Prompt, options: ClaimOptions): Promise<void> {
    const settings = Object.entries(options.settings ?? {});
    const before = settings.filter(([name]) => !SESSION_SETTINGS.has(name));
    const after = settings.filter(([name]) => SESSION_SETTINGS.has(name));
    // All requests are written at once; the agent processes them in this order.
    const applied = before.length > 0 ? this.#query.applyFlagSettings(Object.fromEntries(before)) : undefined;
    const claim = this.#query.claim(claimParams(options, this.#servers));
    const optional = [
      ...(options.model === undefined ? [] : [named("model", this.#query.setModel(options.model))]),
      ...(options.maxThinkingTokens === undefined
        ? []
        : [named("maxThinkingTokens", this.#query.setMaxThinkingTokens(options.maxThinkingTokens))]),
    ];
    const overlay = after.length > 0 ? this.#query.applyFlagSettings(Object.fromEntries(after)) : undefined;
    const overlaid = Promise.all([applied, overlay]);
    overlaid.catch(() => undefined);
    if (settings.length === 0) void this.#query.send(prompt);
    let claimed: Claimed;
    try {
      claimed = await claim;
    } catch (error) {
      this.#query.endInput();
      this.#settle.reject(error as Error);
      return;
    }
    try {
      await overlaid;
    } catch (error) {
      this.close();
      const text = `${errorMessage(error)}; the prompt was not sent; start the session with query()`;
      this.#settle.reject(Object.assign(failure("settings_not_applied", text), { claim: claimed }));
      return;
    }
    if (settings.length > 0) void this.#query.send(prompt);
    const refused = (await Promise.all(optional)).filter((text) => text !== undefined);
    if (refused.length === 0) this.#settle.resolve(claimed);
    else {
      const text = `${refused.join("; ")}; the session runs without`;
      this.#settle.reject(Object.assign(failure("option_not_applied", text), { claim: claimed }));
    }
  }
}

function claimParams(options: ClaimOptions, servers: readonly string[]) {
  const { cwd, permissionMode, env, additionalDirectories, appendSystemPrompt, title, agents } = options;
  const isRelative = cwd.trim() !== "" && !isAbsolute(cwd) && cwd !== "~" && !cwd.startsWith("~/");
  return {
    cwd: isRelative ? resolve(cwd) : cwd,
    ...(permissionMode !== undefined && { permission_mode: permissionMode }),
    ...(env && { env }),
    ...(additionalDirectories && { additional_directories: additionalDirectories }),
    ...(appendSystemPrompt !== undefined && { append_system_prompt: appendSystemPrompt }),
    ...(title !== undefined && { title }),
    ...(agents && { agents }),
    sdk_mcp_servers: [...servers],
    include_initialize: true,
  };
}

async function named(option: string, applied: Promise<void>): Promise<string | undefined> {
  try {
    await applied;
    return undefined;
  } catch (error) {
    return `${option}: ${errorMessage(error)}`;
  }
}

/** Programs distinguish these errors by the first word of the message, as in the official SDK. */
function failure(word: string, text: string): HostError {
  return new HostError("closed", `${word}: ${text}`);
}
