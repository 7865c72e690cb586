import type { SessionOptions } from "@agentwire/host";
import type { ControlGroups } from "./control-group.ts";
import type { Limits } from "./isolation-settings.ts";
import { LimitWatch } from "./limit-watch.ts";
import type { SandboxPrograms } from "./requirements.ts";
import { fileOptions, type SandboxFiles } from "./sandbox-files.ts";

/** A sandbox for one process, in the form that the host expects. */
export type Confinement = NonNullable<SessionOptions["confinement"]>;

/** The port of the proxy inside the sandbox, and the socket file that it connects to. */
export const PROXY_PORT = 3128;
export const SOCKET_INSIDE = "/run/agentwire-api.sock";

/** Enters the given control group and closes inherited descriptors, which would lead out of the sandbox. */
const CLOSE_OTHERS = `[ -z "$1" ] || echo $$ >"$1"; shift; for fd in /proc/self/fd/*; do fd=\${fd##*/}; case $fd in 0|1|2) ;; *) exec {fd}>&- ;; esac; done; unset fd; exec "$@"`;
/** Runs inside the sandbox: forwards ports to the proxy, waits until they are open, and executes the agent. */
const BEGIN = `for port in $1; do
  "$2" TCP-LISTEN:$port,bind=127.0.0.1,reuseaddr,fork UNIX-CONNECT:${SOCKET_INSIDE} </dev/null >/dev/null 2>&1 &
  printf -v listening ':%04X 00000000:0000 0A' $port
  for ((tries = 0; tries < 500; tries++)); do
    while read -r line; do [[ $line == *"$listening"* ]] && break 2; done </proc/net/tcp
    sleep 0.01
  done
done
shift 2
exec "$@"`;

/** The settings of one sandbox. */
export interface ConfinementOptions {
  readonly programs: SandboxPrograms;
  /** Called on entry, so that nothing is created for a process that never starts. */
  readonly files: () => SandboxFiles;
  readonly cwd: string;
  /** Ports inside the sandbox that are forwarded to the proxy. */
  readonly ports: readonly number[];
  readonly limits: Limits;
  /** Control groups, if the daemon may create some. */
  readonly groups: ControlGroups | undefined;
  /** Names of variables to pass in addition to those that agents need. */
  readonly passes: ReadonlySet<string>;
  /** Variables to set inside the sandbox. */
  readonly env: Readonly<Record<string, string>>;
  /** Called when the process is gone, with the reason if it was stopped. */
  readonly left: (reason: string | undefined) => void;
}

/**
 * The kernel's limits give no reason, so they are set above the watched limits, and only catch what happens between two checks. The
 * kernel counts threads as processes; it counts per sandbox, except for root, for whom it has no such limit.
 */
const THREADS = 4;
const SPARE_THREADS = 256;
const SPARE_SECONDS = 5;

const PROXY = `http://127.0.0.1:${PROXY_PORT}`;
const HERE = "localhost,127.0.0.1,::1";
const NETWORK = {
  ...{ HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY, http_proxy: PROXY, https_proxy: PROXY },
  ...{ NO_PROXY: HERE, no_proxy: HERE },
};

/** Describes a sandbox of `bwrap`, with its own namespaces and only the given parts of the file system. */
export function confinementOf(options: ConfinementOptions): Confinement {
  const { files, cwd, ports, limits, groups, passes, env, left } = options;
  const { bash, bwrap, socat, prlimit } = options.programs;
  let watch: LimitWatch | undefined;
  const limited = [
    `--nofile=${limits.openFiles}`,
    `--nproc=${limits.processes * THREADS + SPARE_THREADS}`,
    "--core=0",
    ...(limits.cpuSeconds === undefined ? [] : [`--cpu=${limits.cpuSeconds + SPARE_SECONDS}`]),
  ];
  return {
    enter: (wanted) => {
      const group = groups?.create(limits);
      watch = new LimitWatch(limits, group);
      return {
        command: bash,
        args: [
          ...[
            "-c",
            CLOSE_OTHERS,
            "bash",
            group?.entrance ?? "",
            bwrap,
            "--unshare-all",
            "--unshare-user",
            "--disable-userns",
          ],
          ...["--cap-drop", "ALL", "--die-with-parent", "--hostname", "agentwire"],
          ...fileOptions(files()),
          ...["--chdir", cwd, "--", bash, "-c", BEGIN, "bash", ports.join(" "), socat],
          ...[prlimit, ...limited, "--", wanted.command, ...wanted.args],
        ],
        env: reducedEnvironment(wanted.env, passes, { ...env, ...NETWORK, TMPDIR: "/tmp" }),
      };
    },
    entered: (group) => watch?.begin(group),
    left: () => {
      const reason = watch?.end();
      left(reason);
      return reason;
    },
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that agents read, and those for language, terminal and time zone. */
const NEEDED =
  /^(?:PATH|LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|USER|LOGNAME|SHELL|TRACEPARENT|TRACESTATE|ANTHROPIC_\w+|CLAUDE_\w+|CLAUDECODE|DISABLE_\w+|API_TIMEOUT_MS|MAX_THINKING_TOKENS|MAX_MCP_OUTPUT_TOKENS|BASH_\w+_TIMEOUT_MS|BASH_MAX_OUTPUT_LENGTH|MCP_\w*TIMEOUT|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/;

/** The part of an environment that is passed: what agents need, and what the settings name. */
function reducedEnvironment(
  env: Environment,
  named: ReadonlySet<string>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (NEEDED.test(entry[0]) || named.has(entry[0])),
  );
  return { ...Object.fromEntries(kept), ...own };
}
