import { type Daemon, type DaemonConfig, defaultConfig } from "@agentwire/daemon";
import {
  isStoreUrl,
  type ReloadOptions,
  readSettings,
  reload,
  type Settings,
  SettingsError,
  type SettingsNews,
} from "@agentwire/daemon/settings";
import type { Log } from "@agentwire/protocol/support";
import type { Io } from "../io.ts";
import { REMOTE_ENV } from "../talk/remote.ts";
import { locationOf } from "./location.ts";
import { withoutServiceManager } from "./service-manager.ts";

/** The database URL may contain a password, which agents must not see. */
const STORE_ENV = "AGENTWIRE_STORE";

/** The settings of a daemon, which can be reloaded while it runs. The command line takes precedence over the file. */
export class LiveSettings {
  readonly #io: Io;
  readonly #port: number | undefined;
  readonly #log: Log;
  readonly #setLevel: (level: DaemonConfig["logLevel"]) => void;

  constructor(
    io: Io,
    port: number | undefined,
    log: Log,
    setLevel: (level: DaemonConfig["logLevel"]) => void,
  ) {
    this.#io = io;
    this.#port = port;
    this.#log = log;
    this.#setLevel = setLevel;
  }

  /** Reads the current settings and applies their log level. */
  apply(): Settings {
    const settings = this.#read();
    for (const warning of settings.warnings) this.#log.warn(warning);
    this.#setLevel(settings.config.logLevel);
    return settings;
  }

  /** Reloads the settings into a running daemon. Throws a `SettingsError` and changes nothing if they are invalid. */
  reload(daemon: Daemon): SettingsNews {
    try {
      const { config, warnings } = this.apply();
      const { changed, needRestart } = daemon.reload(config);
      this.#log.info("the settings were reloaded", { changed });
      if (needRestart.length > 0)
        this.#log.warn("some settings require a restart of the daemon", { keys: needRestart });
      return { changed, needRestart, warnings };
    } catch (error) {
      if (error instanceof SettingsError) this.#log.error("the settings were not applied", { error });
      throw error;
    }
  }

  /** What a reload would change in a running daemon. Throws a `SettingsError`. */
  compare({ config: now }: Daemon, { storeUrl }: Pick<ReloadOptions, "storeUrl">): SettingsNews {
    const { config, warnings } = this.#read();
    const { changed, needRestart } = reload(now, {
      ...config,
      ...(storeUrl !== undefined && { storeUrl }),
    });
    return { changed, needRestart, warnings };
  }

  #read(): Settings {
    const io = this.#io;
    const { config, warnings } = readSettings(
      locationOf(io).settings,
      defaultConfig(forAgents(io.env), io.cwd),
    );
    const storeUrl = io.env[STORE_ENV] || config.storeUrl;
    if (storeUrl !== undefined && !isStoreUrl(storeUrl))
      throw new SettingsError(
        `${STORE_ENV}: expected the address of a PostgreSQL database, as in postgres://user@host/database`,
      );
    const port = this.#port;
    return { config: { ...config, storeUrl, ...(port !== undefined && { port }) }, warnings };
  }
}

/** The environment without variables that agents must not see. */
const forAgents = (env: Io["env"]): Io["env"] =>
  Object.fromEntries(
    Object.entries(withoutServiceManager(env)).filter(
      ([name]) => name !== STORE_ENV && !REMOTE_ENV.has(name),
    ),
  );
