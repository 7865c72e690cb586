import { isDeepStrictEqual } from "node:util";
import type { EffortLevel, HostError } from "@agentwire/host";
import { examineAgent, type ProcessLimits, type WantedAgent } from "@agentwire/host/agent";
import type { JsonObject } from "@agentwire/protocol";
import { type AgentName, type FeatureName, supports } from "@agentwire/protocol/compatibility";
import type { PermissionMode } from "@agentwire/protocol/permission";
import { EXIT_CODES, type Log } from "@agentwire/protocol/support";
import { acpLaunch } from "./acp-launch.ts";
import { BEFORE_EACH_CALL, conversation, heldMs, noSandbox, shortfall } from "./agent-words.ts";
import type { Boundary } from "./boundary.ts";
import { sessionStoreIn } from "./cluster/transcripts.ts";
import { AgentUnusable, DaemonError } from "./errors.ts";
import { trustFlags } from "./folder-trust.ts";
import { AgentHealth, type Finding } from "./health/agent-health.ts";
import { type Isolation, isolationsOf } from "./isolation/isolation.ts";
import type { IsolationSettings } from "./isolation/isolation-settings.ts";
import { AgentGateway } from "./models/agent-gateway.ts";
import type { ScopedRule } from "./permission/engine.ts";
import { denyFlags, ruleFlags } from "./permission/rule-flags.ts";
import { noModes } from "./session/agent-requests.ts";
import type { Deciders, Launched } from "./session/agent-run.ts";
import { SharedAgents } from "./shared-agents.ts";
import type { Transcripts } from "./store/nodes.ts";
import type { SessionRecord } from "./store/session-record.ts";

/** An agent that sessions can be run with. */
export interface AgentConfig {
  readonly name: string;
  /** A path, or a name on PATH; undefined for our own agent. */
  readonly path?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it became the default only because it was found: if it can't be used, the next one is. */
  readonly isGuess?: boolean;
  /** Its dialect, if it is not Claude's. */
  readonly dialect?: "acp";
  /** The login method to use, by the agent's own name for it (acp). */
  readonly authMethod?: string;
  /** The sandbox that it runs in; it is never started without it. */
  readonly sandbox?: IsolationSettings;
  /** How many of its sessions share a process (default: 1); only for our own agent, outside a sandbox. */
  readonly sessionsPerProcess?: number;
  /** When such a process is retired, if not by the default limits. */
  readonly processLimits?: Partial<ProcessLimits>;
}

/** The dependencies and settings of `Agents`. */
export interface AgentsOptions {
  readonly agents: readonly AgentConfig[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The daemon's own folder. */
  readonly folder: string;
  readonly startMs: () => number;
  readonly silenceMs: () => number;
  readonly maxPayloadBytes: number;
  /** Folders that are trusted without asking. */
  readonly trustedFolders: () => readonly string[];
  /** The rules that apply to a session. */
  readonly rulesOf: (record: SessionRecord) => readonly ScopedRule[];
  /** The MCP servers that clients have given to the agent of a session. */
  readonly serversOf: (record: SessionRecord) => JsonObject | undefined;
  /** Whether agents reach other providers' models through a gateway. */
  readonly hasGateway: () => boolean;
  readonly log: Log;
  readonly guard: Boundary;
  /** Where conversations are mirrored, so that agents on other nodes can resume them; undefined for nowhere. */
  readonly transcripts?: Transcripts | undefined;
  /** The health of an agent has changed. */
  readonly onChange: () => void;
  /** A shared process has started; the returned function is called when it has ended. */
  readonly onGroup: (group: number) => () => void;
}

/** The name of our own agent in messages. */
const OWN: AgentName = { title: "agentwire-agent", command: "agentwire-agent" };

/** Enables rewinding of files and reporting the output of running commands; agents that don't know these variables ignore them. */
const WANTED_OF_AGENTS = {
  CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "true",
  AGENTWIRE_TOOL_OUTPUT: "true",
};

/** Where notices about an agent point to. */
const DOCUMENTATION = "docs/guides/daemon.md#versions-of-agents";

/** A line may be this many times longer than the storage limit and still be read and truncated. */
const READ_FACTOR = 4;

/** How long to wait before asking an agent again that did not report its version. */
const MUTE_MS = 30_000;

/** The agents of a daemon: their health, and how each is started for a session. */
export class Agents {
  readonly #options: AgentsOptions;
  /** The first is the default. */
  #agents: readonly AgentConfig[];
  readonly #health: ReadonlyMap<string, AgentHealth>;
  /** When each of them was last examined; undefined while an examination is in progress. */
  readonly #lookedAt = new Map<string, number | undefined>();
  /** The sandboxes of those that have one. */
  readonly #isolations: ReadonlyMap<string, Isolation>;

  readonly #gateway: AgentGateway;
  /** The processes that sessions share. */
  readonly shared: SharedAgents;

  constructor(options: AgentsOptions) {
    this.#options = options;
    this.shared = new SharedAgents(options.folder, options.onGroup);
    this.#gateway = new AgentGateway({ ...options, isOn: options.hasGateway });
    this.#agents = options.agents;
    this.#isolations = isolationsOf(options.agents, options, (name, reason) =>
      this.#health.get(name)?.limited(reason),
    );
    this.#health = new Map(
      options.agents.map(({ name }) => [name, new AgentHealth(name, options.log, options.onChange)]),
    );
  }

  /** The name of the configured agent; throws for an unknown one. */
  nameOf(wanted: string): string {
    return this.#find(wanted).name;
  }

  /** A chosen agent: its variables, the models that it offers itself, and whether it can use those of any provider. */
  chosen(wanted: string) {
    const agent = this.#find(wanted);
    const { models: offered } = this.#healthOf(agent);
    const { env, hasGateway } = this.#options;
    const takesProviders = agent.path === undefined || hasGateway();
    return { name: agent.name, env: { ...env, ...agent.env }, offered, takesProviders };
  }

  /** Throws for an agent whose conversations can't be copied or rewound. */
  mustFork(name: string, what: "copy" | "rewind" = "copy"): void {
    if (this.#find(name).dialect !== "acp") return;
    const reason = `agent ${name} speaks the Agent Client Protocol, which can't ${what} a conversation: begin a new session`;
    throw new DaemonError("INVALID_ARGUMENT", reason);
  }

  /** The health of each agent; the first is the default. */
  get health(): readonly AgentHealth[] {
    return this.#agents.map((agent) => this.#healthOf(agent));
  }

  /** Examines the default agent before any session; throws `AgentUnusable` if sessions can't run with it. */
  async mustBeUsable(): Promise<AgentHealth> {
    const agent = this.#find("");
    const health = await this.#examine(agent);
    const { exitCode, message } = health.finding?.verdict ?? {};
    const [first, ...others] = this.#agents;
    const isMute = health.finding?.agent?.version === undefined;
    if ((exitCode !== undefined || isMute) && first?.isGuess && others.length > 0) {
      this.#agents = [...others, { ...first, isGuess: false }];
      return this.mustBeUsable();
    }
    if (exitCode !== undefined) throw new AgentUnusable(message ?? "", exitCode);
    return health;
  }

  /** Examines all of them again in the background; one whose file is unchanged is not started for that. */
  look(): void {
    for (const agent of this.#agents) {
      if (!this.#isLookDue(agent)) continue;
      this.#lookedAt.set(agent.name, undefined);
      const look = () =>
        this.#examine(agent).finally(() => this.#lookedAt.set(agent.name, performance.now()));
      this.#options.guard(look)();
    }
  }

  /** Closes the sandboxes, the gateway and the shared processes. */
  async close(): Promise<void> {
    const services = [...this.#isolations.values(), this.#gateway, this.shared];
    await Promise.all(services.map((service) => service.close()));
  }

  /** Prepares an agent's launch for a session: with a new conversation, the session's own, or a copy of another's. */
  async launch(record: SessionRecord, deciders: Deciders): Promise<Launched> {
    const { env } = this.#options;
    const agent = this.#find(record.agent);
    const health = await this.#examine(agent);
    const examined = health.finding?.agent;
    // Our own agent takes flags, in any dialect.
    if (agent.dialect === "acp" && examined?.version === undefined)
      return this.#launchAcp(record, agent, health, deciders);
    const { permissions, beforeCall } = deciders;
    const has = (feature: FeatureName) => supports(examined?.version, undefined, feature);
    const words = conversation(record, has("session_flags"));
    if (record.mode !== "default" && !has("session_flags")) throw noModes(record.mode);
    // Rules must not depend on guesses: an agent of unknown version gets only what every version understands.
    const surely = (feature: FeatureName) => examined?.version !== undefined && has(feature);
    const takesRules = surely("flag_settings");
    const flagsFor = (one: SessionRecord) => {
      if (takesRules) return [];
      return (has("hook_callbacks") ? denyFlags : ruleFlags)(this.#options.rulesOf(one));
    };
    const flags = flagsFor(record);
    // If no agent was found, examining it again throws with the reason.
    const found = examined ?? (await examineAgent(await this.#wanted(agent)));
    const trust = await trustFlags({
      agent,
      cwd: record.cwd,
      env: { ...env, ...agent.env },
      trustedFolders: this.#options.trustedFolders(),
      choosesSettings: has("setting_sources"),
    });
    const route = await this.#routeTo(record.model, agent);
    const confinement = await this.#isolations
      .get(agent.name)
      ?.forSession(found.command, record.cwd, route?.api);
    // A sandbox takes precedence over sharing a process.
    const shared = confinement ? undefined : this.shared.of(agent, found.command, record.id);
    return {
      health,
      ...(shared && { died: shared.died }),
      distrust: trust.notice,
      takesRules,
      takesModel: async (model) => !route && !(await this.#routeTo(model, agent)),
      costOf: route?.costOf,
      isOutdated: (one) => !isDeepStrictEqual(flagsFor(one), flags),
      shortfall: flags.length > 0 && !has("hook_callbacks") ? shortfall(health) : undefined,
      sessionId: words.sessionId,
      servers: this.#options.serversOf(record),
      options: {
        agent: found,
        ...(confinement && { confinement }),
        ...(shared && { spawn: shared.spawn }),
        cwd: record.cwd,
        ...words,
        ...(this.#options.transcripts &&
          surely("session_mirror") && {
            sessionStore: sessionStoreIn(this.#options.transcripts),
            sessionStoreFlush: "eager" as const,
            onMirrorError: ({ error, key }: { readonly error: string; readonly key: object }) =>
              this.#options.log.warn("part of a conversation is missing from the store", { error, ...key }),
          }),
        ...(has("partial_messages") && { includePartialMessages: true }),
        ...(record.model !== "" && { model: record.model }),
        ...(record.effort !== "" && { effort: record.effort as EffortLevel }),
        ...(record.mode !== "default" && { permissionMode: record.mode as PermissionMode }),
        env: { ...WANTED_OF_AGENTS, ...env, ...agent.env, ...route?.env },
        args: [
          // Reports prompts that it skips because an earlier process received them.
          ...(has("session_flags") && record.agentSessionId !== "" ? ["--replay-user-messages"] : []),
          ...trust.args,
          ...flags,
          ...(agent.args ?? []),
        ],
        // An agent that can't ask denies whatever it would have to ask about.
        ...(has("stdio_permission_prompts") && { permissions }),
        ...(has("hook_callbacks") && {
          initialize: BEFORE_EACH_CALL,
          handlers: { hook_callback: beforeCall(heldMs(surely)) },
        }),
        ...this.#limits(),
      },
    };
  }

  /** Our own agent needs no gateway: it calls providers itself. */
  async #routeTo(model: string, agent: AgentConfig) {
    if (agent.path === undefined) return undefined;
    return this.#gateway.routeTo(model, { ...this.#options.env, ...agent.env });
  }

  async #launchAcp(
    record: SessionRecord,
    agent: AgentConfig,
    health: AgentHealth,
    deciders: Deciders,
  ): Promise<Launched> {
    const { env, rulesOf, serversOf, log } = this.#options;
    const found = health.finding?.agent ?? (await examineAgent(await this.#wanted(agent)));
    const confinement = await this.#isolations.get(agent.name)?.forSession(found.command, record.cwd);
    const isConfined = confinement !== undefined;
    const hasRules = rulesOf(record).length > 0;
    const { options, ...launched } = acpLaunch({
      ...{ record, agent, deciders, isConfined, hasRules, log },
      servers: serversOf(record),
      env: { ...env, ...agent.env },
    });
    const limits = this.#limits();
    return {
      health,
      ...launched,
      options: { ...options, ...limits, agent: found, ...(confinement && { confinement }) },
    };
  }

  /** The limits on the length of a line and on silence. */
  #limits() {
    const { startMs, silenceMs, maxPayloadBytes } = this.#options;
    return {
      maxLineBytes: maxPayloadBytes * READ_FACTOR,
      // The ledger limits how long a question stays open.
      deadlines: { firstLineMs: startMs(), silenceMs: silenceMs(), answerMs: Number.POSITIVE_INFINITY },
    };
  }

  /** An agent that did not report its version is asked again, but not every time. */
  #isLookDue(agent: AgentConfig): boolean {
    if (!this.#lookedAt.has(agent.name)) return true;
    const lookedAt = this.#lookedAt.get(agent.name);
    const found = this.#healthOf(agent).finding?.agent;
    const isMute = found !== undefined && found.version === undefined;
    return lookedAt !== undefined && (!isMute || performance.now() - lookedAt > MUTE_MS);
  }

  async #examine(agent: AgentConfig): Promise<AgentHealth> {
    const health = this.#healthOf(agent);
    health.found(await this.#finding(agent));
    return health;
  }

  async #finding(agent: AgentConfig): Promise<Finding> {
    const known = { documentation: DOCUMENTATION, ...(agent.path === undefined && { agent: OWN }) };
    try {
      const problem = await this.#isolations.get(agent.name)?.problem();
      if (problem !== undefined) return { verdict: noSandbox(agent.name, problem) };
      const examined = await examineAgent({ ...(await this.#wanted(agent)), known });
      return { agent: examined, verdict: examined.verdict };
    } catch (error) {
      return { verdict: this.#notThere(agent, error as HostError) };
    }
  }

  /** Only a missing default agent is logged as an error. */
  #notThere(agent: AgentConfig, { message }: HostError): Finding["verdict"] {
    const { path = OWN.command } = agent;
    return {
      level: "INCOMPATIBLE",
      exitCode: EXIT_CODES.agentNotFound,
      logLevel: agent === this.#agents[0] ? "error" : "debug",
      message: path.includes("/") ? message : `${path} CLI not found in PATH`,
    };
  }

  /** A name is never resolved against the daemon's working folder. */
  async #wanted({ name, path, env, dialect }: AgentConfig): Promise<WantedAgent> {
    const confine = await this.#isolations.get(name)?.forVersion();
    return {
      agent: path,
      isOwn: path === undefined,
      cwd: "/",
      env: { ...this.#options.env, ...env },
      ...(dialect && { dialect }),
      ...(confine && { confine }),
    };
  }

  #healthOf({ name }: AgentConfig): AgentHealth {
    const health = this.#health.get(name);
    if (!health) throw new Error(`unknown agent ${name}`);
    return health;
  }

  #find(wanted: string): AgentConfig {
    const agents = this.#agents;
    const agent = wanted === "" ? agents[0] : agents.find(({ name }) => name === wanted);
    if (agent) return agent;
    const names = agents.map(({ name }) => name).join(", ");
    throw new DaemonError("INVALID_ARGUMENT", `agent: unknown agent ${wanted}; choose one of ${names}`);
  }
}
