import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { guardedIn } from "@agentwire/local/sandbox";
import type { Log } from "@agentwire/protocol/support";
import { ApiProxy } from "./api-proxy.ts";
import { type Confinement, confinementOf, PROXY_PORT, SOCKET_INSIDE } from "./confinement.ts";
import { ControlGroups } from "./control-group.ts";
import { HostList } from "./host-list.ts";
import type { IsolationSettings } from "./isolation-settings.ts";
import { holdPlaceholders, type Placeholder } from "./placeholders.ts";
import { type SandboxPrograms, sandboxPrograms } from "./requirements.ts";
import { isWithin, programFolders, type SandboxFiles, SYSTEM } from "./sandbox-files.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings for the sandboxes of an agent. */
export interface IsolationOptions {
  readonly settings: IsolationSettings;
  /** The daemon's own folder, which is never visible inside. */
  readonly folder: string;
  /** The base name of its proxies' socket files in that folder. */
  readonly socketName: string;
  /** The agent's whole environment outside the sandbox. */
  readonly env: Environment;
  /** The variables that the settings define for this agent; all of them are passed. */
  readonly ownEnv: Environment;
  readonly home: string;
  readonly log: Log;
  /** Called with the reason when a process had to be stopped. */
  readonly onExcess: (reason: string) => void;
}

const DEFAULT_API = "https://api.anthropic.com";
const GIT_MS = 5000;
const LOOPBACK = /^(?:localhost|127\..*|\[?::1\]?)$/i;

/** Names in the agent's configuration that determine what the user's other agents run. */
const CONFIG_FOLDERS = ["agents", "commands", "hooks", "output-styles", "plugins", "rules", "skills"];
const CONFIG_FILES = ["CLAUDE.md", "keybindings.json"];

/** Sandboxes for the processes of one agent; the proxies that they share are opened on first use. */
export class Isolation {
  readonly #options: IsolationOptions;
  readonly #home: string;
  readonly #config: string;
  readonly #api: URL;
  /** By API address: the agent's own API, and the daemon's gateway. */
  readonly #proxies = new Map<string, { readonly path: string; readonly listening: Promise<ApiProxy> }>();
  #gitConfig: Promise<string> | undefined;

  constructor(options: IsolationOptions) {
    this.#options = options;
    const { env, home } = options;
    this.#home = env.HOME || home;
    this.#config = env.CLAUDE_CONFIG_DIR || join(this.#home, ".claude");
    this.#api = new URL(env.ANTHROPIC_BASE_URL || DEFAULT_API);
  }

  /** Why a sandbox is not available; undefined if it is. */
  async problem(): Promise<string | undefined> {
    const programs = await sandboxPrograms(this.#options.env);
    return typeof programs === "string" ? programs : undefined;
  }

  /** A sandbox for asking a program for its version: no project is visible, and no host can be reached. */
  async forVersion(): Promise<(command: readonly string[]) => Confinement> {
    const [programs, groups] = await Promise.all([this.#programs(), controlGroups()]);
    return (command) => {
      const files = { ...this.#files(command), writable: [], fixed: [], closed: [], placed: [] };
      return this.#confinement(
        programs,
        () => files,
        "/",
        [],
        groups,
        () => {},
      );
    };
  }

  /** A sandbox for a session in a folder, optionally with another API. Rejects if none is available. */
  async forSession(command: readonly string[], cwd: string, api = this.#api): Promise<Confinement> {
    const { folder } = this.#options;
    const programs = await this.#programs();
    this.#mustBeProject(cwd);
    const socket = await this.#proxyTo(api);
    this.#gitConfig ??= this.#writeGitConfig();
    const gitConfig = await this.#gitConfig;
    mkdirSync(this.#config, { recursive: true, mode: 0o700 });
    const { repositories, paths } = await guardedIn([cwd]);
    const basic = this.#files(command);
    const ignored = join(folder, "sandbox-gitignore");
    writeFileSync(ignored, "/.mcp.json\n", { mode: 0o600 });
    let placeholders: ReturnType<typeof holdPlaceholders> | undefined;
    const files = () => {
      placeholders = holdPlaceholders(this.#placeholders(cwd));
      // Hide the placeholder from git, since it is not part of the work.
      const isMade = placeholders.made.includes(join(cwd, ".mcp.json"));
      return {
        ...basic,
        writable: [...basic.writable, cwd, ...repositories],
        fixed: [join(cwd, ".git")],
        closed: [...basic.closed, ...paths],
        placed: [
          [socket, SOCKET_INSIDE],
          [gitConfig, join(this.#home, ".gitconfig")],
          ...(isMade ? [[ignored, join(this.#home, ".config/git/ignore")] as const] : []),
        ] as const,
      };
    };
    const groups = await controlGroups();
    return this.#confinement(programs, files, cwd, portsFor(api), groups, () => placeholders?.release());
  }

  /** Closes the proxies, and waits until the control groups of ended agents are removed. */
  async close(): Promise<void> {
    for (const { listening } of this.#proxies.values()) (await listening.catch(() => undefined))?.close();
    await (await groups)?.removed();
  }

  /** The socket of the proxy to an API. */
  async #proxyTo(api: URL): Promise<string> {
    const { folder, socketName, settings, log } = this.#options;
    const path = join(folder, api === this.#api ? `${socketName}.sock` : `${socketName}-gateway.sock`);
    const proxy = this.#proxies.get(api.href) ?? {
      path,
      listening: ApiProxy.listen(path, new HostList(api, settings.allowedDomains), log),
    };
    this.#proxies.set(api.href, proxy);
    await proxy.listening;
    return proxy.path;
  }

  async #programs(): Promise<SandboxPrograms> {
    const programs = await sandboxPrograms(this.#options.env);
    if (typeof programs === "string") throw new SandboxUnavailable(programs);
    return programs;
  }

  /** Rejects a folder that contains the home folder or the system, since all of it would be writable. */
  #mustBeProject(cwd: string): void {
    const around = [this.#home, ...SYSTEM].find((path) => isWithin(path, cwd));
    if (around !== undefined)
      throw new SandboxUnavailable(
        `a session in ${cwd} could change everything in ${around}; run it in the folder of a project`,
      );
  }

  #files(command: readonly string[]): SandboxFiles {
    const { settings, folder } = this.#options;
    const home = this.#home;
    const inConfig = (names: readonly string[]) => names.map((name) => join(this.#config, name));
    return {
      home,
      readable: [...programFolders(command), ...settings.allowRead],
      writable: [this.#config, ...settings.allowWrite],
      fixed: [],
      closed: [...inConfig(["settings.json", ...CONFIG_FOLDERS, ...CONFIG_FILES]), ...settings.denyWrite],
      hidden: [...settings.denyRead, folder],
      placed: [],
    };
  }

  #placeholders(cwd: string): readonly Placeholder[] {
    return [
      { path: join(cwd, ".claude") },
      { path: join(cwd, ".mcp.json"), text: '{"mcpServers":{}}\n' },
      { path: join(this.#config, "settings.json"), text: "{}\n" },
      ...CONFIG_FOLDERS.map((name) => ({ path: join(this.#config, name) })),
    ];
  }

  #confinement(
    programs: SandboxPrograms,
    files: () => SandboxFiles,
    cwd: string,
    ports: readonly number[],
    groups: ControlGroups | undefined,
    release: () => void,
  ): Confinement {
    const { settings, env, ownEnv, onExcess } = this.#options;
    return confinementOf({
      programs,
      files,
      cwd,
      ports,
      limits: settings.limits,
      groups,
      passes: new Set([...settings.env, ...Object.keys(ownEnv)]),
      env: { HOME: this.#home, ...(env.CLAUDE_CONFIG_DIR && { CLAUDE_CONFIG_DIR: env.CLAUDE_CONFIG_DIR }) },
      left: (reason) => {
        release();
        if (reason !== undefined) onExcess(reason);
      },
    });
  }

  /** Commits need a name, but the user's own git configuration stays outside, since it may contain passwords. */
  async #writeGitConfig(): Promise<string> {
    const { folder, env } = this.#options;
    const of = (key: string) =>
      new Promise<string>((resolve) => {
        const args = ["config", "--global", "--get", key];
        execFile("git", args, { env: { ...env }, timeout: GIT_MS }, (_, out = "") => resolve(out.trim()));
      });
    const entries = { name: await of("user.name"), email: await of("user.email") };
    const lines = Object.entries(entries).flatMap(([key, value]) =>
      value === "" ? [] : [`\t${key} = ${JSON.stringify(value)}\n`],
    );
    const path = join(folder, "sandbox-gitconfig");
    writeFileSync(path, `[user]\n${lines.join("")}`, { mode: 0o600 });
    return path;
  }
}

/** The proxy's port, and the API's port if that is on this machine, for agents that use no proxy for loopback addresses. */
function portsFor({ protocol, hostname, port }: URL): readonly number[] {
  const isHere = LOOPBACK.test(hostname) && protocol === "http:" && isIP(hostname) !== 6;
  return [PROXY_PORT, ...(isHere ? [Number(port || 80)] : [])];
}

let groups: Promise<ControlGroups | undefined> | undefined;

/** The control groups of this daemon, taken over when the first agent needs one. */
function controlGroups(): Promise<ControlGroups | undefined> {
  groups ??= ControlGroups.open();
  return groups;
}

/** The sandbox-related settings of an agent. */
interface Isolated {
  readonly name: string;
  readonly sandbox?: IsolationSettings;
  readonly env?: Environment;
}

/** The sandboxes of the agents that have one, by agent name. */
export function isolationsOf(
  agents: readonly Isolated[],
  { env, ...shared }: Pick<IsolationOptions, "env" | "home" | "folder" | "log">,
  onExcess: (agent: string, reason: string) => void,
): ReadonlyMap<string, Isolation> {
  return new Map(
    agents.flatMap(({ name, sandbox: settings, env: ownEnv = {} }, at) => {
      if (!settings) return [];
      const own = { settings, ownEnv, env: { ...env, ...ownEnv }, socketName: `sandbox-${at}` };
      const { home, folder, log } = shared;
      const told = (reason: string) => onExcess(name, reason);
      return [[name, new Isolation({ home, folder, log, ...own, onExcess: told })] as const];
    }),
  );
}

/** An agent is not started because its required sandbox is not available. */
class SandboxUnavailable extends Error {
  override readonly name = "SandboxUnavailable";
  readonly code = "sandbox_unavailable";

  constructor(problem: string) {
    super(`This agent must run in a sandbox, but none is available: ${problem}.`);
  }
}
