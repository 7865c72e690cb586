import { type ChildProcess, spawn } from "node:child_process";
import { type Stats, statSync } from "node:fs";
import { constants } from "node:os";
import { type ProcessGroups, signalGroup } from "@agentwire/local/process";

/** What makes one shell like another: where it runs, with which environment and which profile. */
export interface Surroundings {
  readonly program: string;
  /** What the shell is called in its messages. */
  readonly name: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly profile: string | undefined;
  /** The folder of the files that commands write to. */
  readonly outputs: string;
}

/** What a shell that is ready is made of. */
export interface ShellPlace {
  readonly surroundings: Surroundings;
  /** What becomes of the environment for commands. */
  readonly environment: NodeJS.ProcessEnv;
  /** What it runs before it reads the profile. */
  readonly ahead: string;
  /** What it runs, with the command as its first parameter. */
  readonly script: string;
  readonly groups: ProcessGroups;
}

/** A command for a shell that is ready. */
export interface ReadyCommand {
  readonly command: string;
  /** The files for its outputs, and for the folder that it ends in, by their names in the folder of such files. */
  readonly files: readonly string[];
}

/** A command that a shell has begun. */
export interface BegunCommand {
  readonly group: number;
  readonly exited: Promise<number>;
}

/** How many sessions of a process may have one: each is two processes. */
const MOST = 4;
/** Nobody needs one that has waited for so long. */
const IDLE_MS = 60_000;
/** How long a shell may take to be there; the system is stuck, or somebody has stopped it. */
const START_MS = 1000;
/** A shell reads its command byte by byte. */
const MAX_COMMAND_BYTES = 4096;
const KILLED = 128 + constants.signals.SIGKILL;

/**
 * Starts one shell after the other as the leader of a process group of its own, and says its id when it starts, and its code when it
 * has ended. With job control while it waits, it would not wait for one that is stopped. With a socket as its input, bash takes itself
 * for one at the end of a network and reads the profile, unless told not to.
 */
const LAUNCHER = `SHLVL=$((SHLVL - 1)); while :; do set -m; "$1" --norc -c "$2" "$3" "$4" "$5" <&0 >/dev/null 2>&1 & set +m; printf '%d\\n' $! || exit; wait $!; printf '%d\\n' $? || exit; done`;

const FIELDS = ["FOR", "OUTPUT", "FOLDER", "COMMAND"].map((field) => `AGENTWIRE_${field}`);

/**
 * Waits for a command, which must be meant for just this shell, and begins as if started with it. The profile is read ahead; it may have
 * functions with the names of builtins.
 */
const waiting = ({ ahead, script }: Pick<ShellPlace, "ahead" | "script">) =>
  [
    `${ahead}[ -z "$1" ] || . "$1" >/dev/null 2>&1`,
    `${FIELDS.map((field) => `IFS= builtin read -r -d '' ${field} && `).join("")}[ "$AGENTWIRE_FOR" = $$ ] || builtin exit`,
    `command exec </dev/null >>"$2/$AGENTWIRE_OUTPUT" 2>&1 3>>"$2/$AGENTWIRE_FOLDER"`,
    `{ builtin set -- "$AGENTWIRE_COMMAND" \${1:+"$1"}; builtin unset ${FIELDS.join(" ")}; SECONDS=0; } 2>/dev/null`,
    script,
  ].join("; ");

/** Variables by which bash does something of its own when it starts or reads, which the launcher would do too. */
const TELLING = /^(?:BASH_ENV|SHELLOPTS|BASHOPTS|POSIXLY_CORRECT|TMOUT|BASH_FUNC_.*)$/;

/**
 * A shell that is started before there is a command for it, one ahead, by a small process: starting one takes the agent 2 ms, since the
 * system copies the page tables of whoever starts a process, and the shell itself another. Each runs one command, so that nothing of a
 * call is left for the next.
 */
class ReadyShell {
  readonly #surroundings: Surroundings;
  readonly #groups: ProcessGroups;
  readonly #folder: Stats;
  readonly #launcher: ChildProcess;
  readonly #onEnd: () => void;
  /** The shell that is there or runs its command. */
  #shell: number | undefined;
  #running: ((code: number) => void) | undefined;
  #arrived: (() => void) | undefined;
  #isOver = false;
  #idle: NodeJS.Timeout | undefined;
  #text = "";

  constructor(place: ShellPlace, onEnd: () => void) {
    const { surroundings, environment, groups } = place;
    const { program, name, cwd, profile = "", outputs } = surroundings;
    this.#surroundings = surroundings;
    this.#groups = groups;
    this.#onEnd = onEnd;
    this.#folder = statSync(cwd);
    const args = ["--norc", "-c", LAUNCHER, "launcher", program, waiting(place), name, profile, outputs];
    const child = spawn(program, args, {
      cwd,
      env: environment,
      stdio: ["pipe", "pipe", "ignore"],
      detached: true,
    });
    this.#launcher = child;
    if (child.pid !== undefined) groups.add(child.pid);
    child.once("error", () => this.end()).once("exit", () => this.end());
    child.stdin.on("error", () => this.end());
    child.stdout.setEncoding("latin1").on("data", (text: string) => this.#hear(text));
    child.unref();
    for (const stream of [child.stdin, child.stdout] as { unref?(): void }[]) stream.unref?.();
  }

  /** Whether a shell of it is the same as one that would be started now. */
  suits(surroundings: Surroundings): boolean {
    if (!isSame(this.#surroundings, surroundings)) return false;
    const now = statSync(surroundings.cwd, { throwIfNoEntry: false });
    return now?.ino === this.#folder.ino && now.dev === this.#folder.dev;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Has the shell that is ready run a command; undefined if there is none, which nobody waits for long. */
  async run({ command, files }: ReadyCommand): Promise<BegunCommand | undefined> {
    // From here on it is taken: of two calls at once only one may have it.
    let settle: (code: number) => void = () => {};
    const exited = new Promise<number>((resolve) => {
      settle = resolve;
    });
    this.#running = settle;
    clearTimeout(this.#idle);
    if (this.#shell === undefined) await this.#arrival();
    const group = this.#shell;
    if (group === undefined || this.#isOver) {
      this.end();
      return undefined;
    }
    this.#launcher.stdin?.write([group, ...files, command, ""].join("\0"));
    return { group, exited };
  }

  /** Ends the launcher and its shell; a command that runs goes with them. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#idle);
    const { pid, exitCode, signalCode } = this.#launcher;
    if (exitCode === null && signalCode === null) signalGroup(pid, "SIGKILL");
    signalGroup(this.#shell, "SIGKILL");
    this.#launcher.stdin?.destroy();
    this.#launcher.stdout?.destroy();
    this.#arrived?.();
    this.#running?.(KILLED);
    this.#onEnd();
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, START_MS);
      this.#arrived = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #hear(text: string): void {
    const lines = (this.#text + text).split("\n");
    this.#text = lines.pop() ?? "";
    for (const line of lines) this.#take(Number(line));
  }

  #take(number: number): void {
    if (this.#isOver) return;
    if (this.#shell === undefined) {
      this.#shell = number;
      this.#groups.add(number);
      this.#arrived?.();
      if (!this.#running) this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
      return;
    }
    this.#shell = undefined;
    const settle = this.#running;
    this.#running = undefined;
    // Somebody has ended the shell that waited.
    if (settle) settle(number);
    else this.end();
  }
}

/** The shells that are ready, and what the last command of a session was started with: a second one like it is worth one. */
const shells = new Map<ProcessGroups, ReadyShell>();
const last = new WeakMap<ProcessGroups, Surroundings>();

/** Runs a command in a shell that is ready; undefined where there is none, and it is to be started in one of its own. */
export async function runInReadyShell(
  command: ReadyCommand,
  place: ShellPlace,
): Promise<BegunCommand | undefined> {
  const { surroundings, groups } = place;
  const before = last.get(groups);
  last.set(groups, surroundings);
  const known = shells.get(groups);
  if (known?.isBusy || !isSimple(command.command)) return undefined;
  if (known?.suits(surroundings)) return known.run(command);
  known?.end();
  if (!before || !isSame(before, surroundings) || shells.size >= MOST || !canWait(surroundings))
    return undefined;
  const shell = new ReadyShell(place, () => shells.delete(groups));
  shells.set(groups, shell);
  return shell.run(command);
}

/** Ends the shell that is ready for a session that is over. */
export function endReadyShell(groups: ProcessGroups): void {
  shells.get(groups)?.end();
}

const isSame = (one: Surroundings, other: Surroundings) =>
  one.program === other.program &&
  one.name === other.name &&
  one.cwd === other.cwd &&
  one.env === other.env &&
  one.profile === other.profile &&
  one.outputs === other.outputs;

const isSimple = (command: string) =>
  !command.includes("\0") && Buffer.byteLength(command) <= MAX_COMMAND_BYTES;

const canWait = ({ name, env }: Surroundings) =>
  /(?:^|\/)bash$/.test(name) &&
  !Object.keys(env).some((key) => TELLING.test(key)) &&
  // Where it is the first shell at the end of a network, it reads the profile.
  !((env.SSH_CLIENT ?? env.SSH2_CLIENT) && !(Number(env.SHLVL) >= 1));
