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
  /** A path, or a name on PATH; without it our own agent. */
  readonly path?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it was made the default because it was found: if it can't be used, the next one is. */
  readonly isGuess?: boolean;
  /** How it spells the wire, where that is not Claude's way. */
  readonly dialect?: "acp";
  /** The login that it is to use, as it names it itself (acp). */
  readonly authMethod?: string;
  /** The sandbox that it is run in; it is never started without. */
  readonly sandbox?: IsolationSettings;
  /** How many of its sessions share a process, one unless said otherwise; only of our own agent, and not in a sandbox. */
  readonly sessionsPerProcess?: number;
  /** When such a process is done with, where that is not the default. */
  readonly processLimits?: Partial<ProcessLimits>;
}

/** What the agents of a daemon are made of. */
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
  /** The rules that count for a session. */
  readonly rulesOf: (record: SessionRecord) => readonly ScopedRule[];
  /** The MCP servers that clients have handed to the agent of a session. */
  readonly serversOf: (record: SessionRecord) => JsonObject | undefined;
  /** Whether agents get to other providers' models through a gateway. */
  readonly hasGateway: () => boolean;
  readonly log: Log;
  readonly guard: Boundary;
  /** Where conversations are kept beside the folders of agents, so that other nodes can have them resumed; undefined for none. */
  readonly transcripts?: Transcripts | undefined;
  /** One of them has become better or worse. */
  readonly onChange: () => void;
  /** A process that sessions share runs; the returned function is called when it has ended. */
  readonly onGroup: (group: number) => () => void;
}

/** Our own agent in texts for people. */
const OWN: AgentName = { title: "agentwire-agent", command: "agentwire-agent" };

/** Lets files be rewound and tells what commands print while they run; agents that don't know these take no notice. */
const WANTED_OF_AGENTS = {
  CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "true",
  AGENTWIRE_TOOL_OUTPUT: "true",
};

/** Where people read on who are told of an agent that needs care. */
const DOCUMENTATION = "docs/guides/daemon.md#versions-of-agents";

/** A line that is longer than what is stored of it can still be read and cut, up to so many times the limit. */
const READ_FACTOR = 4;

/** How long an agent that did not tell its version is left alone. */
const MUTE_MS = 30_000;

/** The agents of a daemon: what each of them is, and how it is started for a session. */
export class Agents {
  readonly #options: AgentsOptions;
  /** The first is the one that sessions get unless they say otherwise. */
  #agents: readonly AgentConfig[];
  readonly #health: ReadonlyMap<string, AgentHealth>;
  /** When each of them was last looked at; undefined while that continues. */
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

  /** An agent that sessions name: its variables, the models that it offers by itself, and whether it gets to those of any provider. */
  chosen(wanted: string) {
    const agent = this.#find(wanted);
    const { models: offered } = this.#healthOf(agent);
    const { env, hasGateway } = this.#options;
    const takesProviders = agent.path === undefined || hasGateway();
    return { name: agent.name, env: { ...env, ...agent.env }, offered, takesProviders };
  }

  /** Throws for an agent whose conversations can't be copied or taken back. */
  mustFork(name: string, what: "copy" | "rewind" = "copy"): void {
    if (this.#find(name).dialect !== "acp") return;
    const reason = `agent ${name} speaks the Agent Client Protocol, which can't ${what} a conversation: begin a new session`;
    throw new DaemonError("INVALID_ARGUMENT", reason);
  }

  /** How each of them is; the first is the one that sessions get unless they say otherwise. */
  get health(): readonly AgentHealth[] {
    return this.#agents.map((agent) => this.#healthOf(agent));
  }

  /** Looks at the first one before any session; throws `AgentUnusable` if sessions could not be run with it. */
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

  /** Examines all of them again in the background: one whose file is unchanged is not asked again. */
  look(): void {
    for (const agent of this.#agents) {
      if (!this.#isWorthALook(agent)) continue;
      this.#lookedAt.set(agent.name, undefined);
      const look = () =>
        this.#examine(agent).finally(() => this.#lookedAt.set(agent.name, performance.now()));
      this.#options.guard(look)();
    }
  }

  /** Ends what serves them: sandboxes, the gateway, shared processes. */
  async close(): Promise<void> {
    const services = [...this.#isolations.values(), this.#gateway, this.shared];
    await Promise.all(services.map((service) => service.close()));
  }

  /** The launch of an agent for a session: with a new conversation, the one it had, or a copy of another's. */
  async launch(record: SessionRecord, deciders: Deciders): Promise<Launched> {
    const { env } = this.#options;
    const agent = this.#find(record.agent);
    const health = await this.#examine(agent);
    const examined = health.finding?.agent;
    // One of our own learns by flags, in any dialect.
    if (agent.dialect === "acp" && examined?.version === undefined)
      return this.#launchAcp(record, agent, health, deciders);
    const { permissions, beforeCall } = deciders;
    const has = (feature: FeatureName) => supports(examined?.version, undefined, feature);
    const words = conversation(record, has("session_flags"));
    if (record.mode !== "default" && !has("session_flags")) throw noModes(record.mode);
    // What rules rest on is not guessed: one whose version is not known gets what all of them understand.
    const surely = (feature: FeatureName) => examined?.version !== undefined && has(feature);
    const takesRules = surely("flag_settings");
    const flagsFor = (one: SessionRecord) => {
      if (takesRules) return [];
      return (has("hook_callbacks") ? denyFlags : ruleFlags)(this.#options.rulesOf(one));
    };
    const flags = flagsFor(record);
    // One that is not there is looked for again, for the reason.
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
    // Isolation wins over density.
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
          // Tells of prompts that it skips, because an earlier process had them.
          ...(has("session_flags") && record.agentSessionId !== "" ? ["--replay-user-messages"] : []),
          ...trust.args,
          ...flags,
          ...(agent.args ?? []),
        ],
        // One that can't ask refuses what it would have to ask for.
        ...(has("stdio_permission_prompts") && { permissions }),
        ...(has("hook_callbacks") && {
          initialize: BEFORE_EACH_CALL,
          handlers: { hook_callback: beforeCall(heldMs(surely)) },
        }),
        ...this.#limits(),
      },
    };
  }

  /** Our own agent needs no gateway: it speaks to providers itself. */
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

  /** What one line, and silence, may be at most. */
  #limits() {
    const { startMs, silenceMs, maxPayloadBytes } = this.#options;
    return {
      maxLineBytes: maxPayloadBytes * READ_FACTOR,
      // The ledger has times of its own.
      deadlines: { firstLineMs: startMs(), silenceMs: silenceMs(), answerMs: Number.POSITIVE_INFINITY },
    };
  }

  /** One that did not tell its version is asked again, but not at every opportunity. */
  #isWorthALook(agent: AgentConfig): boolean {
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

  /** A default agent that is not installed is not reported. */
  #notThere(agent: AgentConfig, { message }: HostError): Finding["verdict"] {
    const { path = OWN.command } = agent;
    return {
      level: "INCOMPATIBLE",
      exitCode: EXIT_CODES.agentNotFound,
      logLevel: agent === this.#agents[0] ? "error" : "debug",
      message: path.includes("/") ? message : `${path} CLI not found in PATH`,
    };
  }

  /** A name is never looked for in the folder where the daemon happens to be. */
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
