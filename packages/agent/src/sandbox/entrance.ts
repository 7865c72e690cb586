import { basename } from "node:path";
import { quoted } from "./command-line.ts";
import type { SandboxSettings } from "./sandbox-settings.ts";

/** A command that is to run inside. */
export interface Entry {
  /** Folders of the project, which it may change. */
  readonly roots: readonly string[];
  /** The shell that runs the script. */
  readonly shell: string;
  /** What the shell runs, with the command as its first parameter and the profile as its second. */
  readonly script: string;
  readonly command: string;
  readonly profile?: string | undefined;
}

/** The way inside. */
export interface Entered {
  /** What `sh` runs outside; it becomes the sandbox. */
  readonly script: string;
  /** What it needs in its environment; inside, nothing of that is left. */
  readonly env: Readonly<Record<string, string>>;
  /** What the command was denied so far, a line for each. */
  violations(): readonly string[];
  /** Has to be called when the command has ended, or could not be started. */
  leave(): void;
}

/**
 * What runs first inside, the same for every command, so that a sandbox can be made ready before there is one. Inside the runtime's own
 * sandbox a second `bwrap` takes away all rights and the making of further namespaces: from one of those, files under a guarded name
 * could be removed.
 */
export function entrance({
  allowNestedUserNamespaces,
  bwrapPath = "bwrap",
}: Pick<SandboxSettings, "allowNestedUserNamespaces" | "bwrapPath">): string {
  const run = `"$AGENTWIRE_SANDBOX_SHELL" -c "$AGENTWIRE_SANDBOX_SCRIPT"`;
  if (allowNestedUserNamespaces || process.platform !== "linux") return `exec ${run}`;
  return `exec ${quoted(bwrapPath)} --dev-bind / / --unshare-user --unshare-ipc --unshare-uts --disable-userns --cap-drop ALL --die-with-parent -- ${run}`;
}

/** Descriptors that whoever started the agent has left open lead out of the sandbox; the first three and the report stay. */
const CLOSE_OTHERS = `for fd in /proc/self/fd/*; do fd=\${fd##*/}; case $fd in 0|1|2|3) ;; *) exec {fd}>&- ;; esac; done; unset fd`;
const CLOSING_SHELLS: ReadonlySet<string> = new Set(["bash", "zsh"]);

/**
 * The runtime starts its proxy inside in the background and does not wait until it listens: on port 3128, and on 1080 too where SOCKS has
 * a port of its own. On a busy machine a command would find no proxy, so wait up to two seconds for it where the environment points to
 * it. The network inside is new, so its only TCP sockets are the proxy's listeners; the kernel counts them at once, while it takes
 * milliseconds to list them.
 */
const AWAIT_PROXY = [
  `case \${HTTP_PROXY-} in *:3128*) AGENTWIRE_W=1; case \${FTP_PROXY-} in *:1080*) AGENTWIRE_W=2;; esac; AGENTWIRE_N=0`,
  "while [ $AGENTWIRE_N -lt 400 ]; do AGENTWIRE_S=0; for AGENTWIRE_F in /proc/net/sockstat /proc/net/sockstat6",
  "do while read -r AGENTWIRE_P AGENTWIRE_L AGENTWIRE_C AGENTWIRE_R",
  "do case $AGENTWIRE_P in TCP:|TCP6:) AGENTWIRE_S=$((AGENTWIRE_S + AGENTWIRE_C));; esac; done 2>/dev/null <$AGENTWIRE_F; done",
  "[ $AGENTWIRE_S -ge $AGENTWIRE_W ] && break; sleep 0.005; AGENTWIRE_N=$((AGENTWIRE_N + 1)); done",
  "unset AGENTWIRE_W AGENTWIRE_N AGENTWIRE_S AGENTWIRE_F AGENTWIRE_P AGENTWIRE_L AGENTWIRE_C AGENTWIRE_R;; esac",
].join("; ");

/** The environment by which the entrance knows its command. */
export function environmentOf(
  { shell, script, command, profile = "" }: Entry,
  { temporary, ignored }: { readonly temporary: string; readonly ignored: string },
): Record<string, string> {
  const closes = CLOSING_SHELLS.has(basename(shell)) ? `${CLOSE_OTHERS}; ` : "";
  const waits = process.platform === "linux" ? `${AWAIT_PROXY}; ` : "";
  const begin =
    'export TMPDIR="$AGENTWIRE_SANDBOX_TMPDIR"; set -- "$AGENTWIRE_SANDBOX_COMMAND" "$AGENTWIRE_SANDBOX_PROFILE"; ' +
    `n=\${GIT_CONFIG_COUNT:-0}; export GIT_CONFIG_KEY_$n=core.excludesFile; ` +
    'export "GIT_CONFIG_VALUE_$n=$AGENTWIRE_SANDBOX_IGNORED" GIT_CONFIG_COUNT=$((n + 1)); ' +
    "unset n AGENTWIRE_SANDBOX_IGNORED AGENTWIRE_SANDBOX_SHELL AGENTWIRE_SANDBOX_SCRIPT AGENTWIRE_SANDBOX_COMMAND AGENTWIRE_SANDBOX_PROFILE AGENTWIRE_SANDBOX_TMPDIR";
  return {
    AGENTWIRE_SANDBOX_SHELL: shell,
    AGENTWIRE_SANDBOX_SCRIPT: `${closes}${waits}${begin}; ${script}`,
    AGENTWIRE_SANDBOX_COMMAND: command,
    AGENTWIRE_SANDBOX_PROFILE: profile,
    AGENTWIRE_SANDBOX_TMPDIR: temporary,
    AGENTWIRE_SANDBOX_IGNORED: ignored,
  };
}
