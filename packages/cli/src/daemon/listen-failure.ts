import type { DaemonConfig } from "@agentwire/daemon";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { CliError } from "../errors.ts";

/** Where an unusable address is configured, and what to do about it. */
interface Origin {
  readonly source: string;
  readonly advice: string;
}

/** The ports requested by the command line and the settings. */
interface Wanted {
  /** The value of `--port`. */
  readonly port: number | undefined;
  readonly config: Pick<DaemonConfig, "port" | "listen" | "cluster">;
  /** The settings file. */
  readonly file: string;
}

/** What each address-related error code of the system means. */
const REASONS: ReadonlyMap<string | undefined, string> = new Map([
  ["EADDRINUSE", "another program listens on"],
  ["EACCES", "the system does not let you listen on"],
  ["EADDRNOTAVAIL", "this machine does not have the address"],
  ["ENOTFOUND", "this machine can't resolve the name"],
]);

/** The error for an address that the daemon can't listen on; undefined for any other failure. */
export function listenFailure(cause: unknown, wanted: Wanted): CliError | undefined {
  const { code, syscall, port, address, hostname } = cause as NodeJS.ErrnoException & Where;
  const reason = REASONS.get(code);
  const isListening = syscall === "listen" || syscall === "getaddrinfo" || syscall === "bind";
  const host = address ?? hostname;
  if (reason === undefined || !isListening || host === undefined || host.startsWith("/")) return undefined;
  const { source, advice } = originOf(host, port, wanted);
  return new CliError(`${reason} ${port === undefined ? host : `${host}, port ${port}`} (set by ${source})`, {
    exitCode: code === "EADDRINUSE" ? EXIT_CODES.turnFailed : EXIT_CODES.badConfig,
    hint: advice,
    cause,
  });
}

interface Where {
  readonly port?: number;
  readonly address?: string;
  readonly hostname?: string;
}

const LOOPBACK = "127.0.0.1";

function originOf(host: string, port: number | undefined, { port: given, config, file }: Wanted): Origin {
  const isPort = (other: number) => port === undefined || port === other;
  const inFile = (key: string): Origin => ({ source: `${key} in ${file}`, advice: "change it there" });
  if (host === LOOPBACK && given !== undefined && isPort(given))
    return {
      source: "--port",
      advice: "choose another: agentwire daemon start --port N, or 0 for a free one",
    };
  if (host === LOOPBACK && config.port !== undefined && isPort(config.port))
    return {
      source: `daemon.port in ${file}`,
      advice: "change it there, or override it once: agentwire daemon start --port N, or 0 for a free one",
    };
  const { listen } = config.cluster;
  const index = config.listen.findIndex((place) => isPort(place.port) && place.host === host);
  if (index < 0 && isPort(listen.port) && listen.host === host) return inFile("cluster.listen");
  // The settings may contain a host name instead of the address.
  const byPort = index < 0 ? config.listen.findIndex((place) => isPort(place.port)) : index;
  return inFile(byPort < 0 ? "daemon.listen" : `daemon.listen[${byPort}]`);
}
