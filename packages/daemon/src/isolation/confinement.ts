import type { SessionOptions } from "@agentwire/host";
import type { ControlGroups } from "./control-group.ts";
import type { Limits } from "./isolation-settings.ts";
import { LimitWatch } from "./limit-watch.ts";
import type { SandboxPrograms } from "./requirements.ts";
import { fileOptions, type SandboxFiles } from "./sandbox-files.ts";

/** A sandbox for one process, as the host enters it. */
export type Confinement = NonNullable<SessionOptions["confinement"]>;

/** The port of the proxy inside, and the socket file that leads to it. */
export const PROXY_PORT = 3128;
export const SOCKET_INSIDE = "/run/agentwire-api.sock";

/** Enters the control group that is named; descriptors that whoever started the daemon has left open lead out of any sandbox. */
const CLOSE_OTHERS = `[ -z "$1" ] || echo $$ >"$1"; shift; for fd in /proc/self/fd/*; do fd=\${fd##*/}; case $fd in 0|1|2) ;; *) exec {fd}>&- ;; esac; done; unset fd; exec "$@"`;
/** Inside: connects ports to the proxy, waits until they are open, and becomes the agent. */
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

/** What one sandbox is made of. */
export interface ConfinementOptions {
  readonly programs: SandboxPrograms;
  /** Asked for when it is entered, so that nothing is put in place for a process that never starts. */
  readonly files: () => SandboxFiles;
  readonly cwd: string;
  /** Ports inside that lead to the proxy. */
  readonly ports: readonly number[];
  readonly limits: Limits;
  /** Control groups, where the daemon may make some. */
  readonly groups: () => ControlGroups | undefined;
  /** Names of variables that go inside beside those that agents need. */
  readonly passes: ReadonlySet<string>;
  /** Variables that have these values inside. */
  readonly env: Readonly<Record<string, string>>;
  /** Called when the process is gone, with why it was ended, if it was. */
  readonly left: (reason: string | undefined) => void;
}

/**
 * The kernel's limits give no reason, so they lie above those that are watched, and hold what happens between two looks. It counts threads
 * for processes, and has a count for each sandbox, except for root, who has none.
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

/** The way into a sandbox that `bwrap` makes: nothing of the system but what is named, and namespaces of its own. */
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
      const group = groups()?.create(limits);
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

/** The variables that agents read themselves, and those by which programs know language, terminal and time. */
const NEEDED =
  /^(?:PATH|LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|USER|LOGNAME|SHELL|TRACEPARENT|TRACESTATE|ANTHROPIC_\w+|CLAUDE_\w+|CLAUDECODE|DISABLE_\w+|API_TIMEOUT_MS|MAX_THINKING_TOKENS|MAX_MCP_OUTPUT_TOKENS|BASH_\w+_TIMEOUT_MS|BASH_MAX_OUTPUT_LENGTH|MCP_\w*TIMEOUT|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/;

/** The part of an environment that goes inside: what agents need, and what settings name. */
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
