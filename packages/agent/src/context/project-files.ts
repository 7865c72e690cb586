import type { Config } from "../config/config.ts";
import type { Trust } from "../settings/trust.ts";
import { NO_CONTEXT, type ProjectContext } from "./context.ts";
import type { HostOptions } from "./host-options.ts";
import { loadContext } from "./load.ts";

/** The context from the files of the user, the project and the plugins, loaded on first use and again on request. */
export class ProjectFiles {
  readonly #config: Config;
  readonly #hostOptions: HostOptions;
  readonly #trust: Trust;
  readonly #complain: (text: string) => void;
  #loading: Promise<ProjectContext> | undefined;
  #known = NO_CONTEXT;

  constructor(config: Config, hostOptions: HostOptions, trust: Trust, complain: (text: string) => void) {
    this.#config = config;
    this.#hostOptions = hostOptions;
    this.#trust = trust;
    this.#complain = complain;
  }

  /** What has been read so far. */
  get known(): ProjectContext {
    return this.#known;
  }

  /** Reads everything, once. */
  load(): Promise<ProjectContext> {
    this.#loading ??= this.#read();
    return this.#loading;
  }

  /** Reads everything again. */
  reload(): Promise<ProjectContext> {
    this.#loading = this.#read();
    return this.#loading;
  }

  async #read(): Promise<ProjectContext> {
    const { configDir, cwd, env, projectRoot, home, contextSources: sources } = this.#config;
    const { plugins, agents, skills, repoRoots } = this.#hostOptions;
    const places = {
      configDir,
      cwd,
      env,
      projectRoot,
      home,
      sources,
      plugins,
      agents,
      skills,
      repoRoots,
      trust: this.#trust,
    };
    this.#known = await loadContext(places);
    for (const { path, problems } of this.#known.plugins)
      for (const problem of problems) this.#complain(`agentwire-agent: the plugin ${path}: ${problem}\n`);
    return this.#known;
  }
}
