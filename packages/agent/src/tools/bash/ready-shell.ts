import { type ChildProcess, spawn } from "node:child_process";
import { type Stats, statSync } from "node:fs";
import { constants } from "node:os";
import { endGroup, type ProcessGroups, signalGroup } from "@agentwire/local/process";
import { within } from "@agentwire/protocol/support";

/** What determines whether two shells are interchangeable: program, directory, environment and profile. */
export interface Surroundings {
  readonly program: string;
  /** The shell's name in its messages. */
  readonly name: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly profile: string | undefined;
  /** The folder of the output files. */
  readonly outputs: string;
}

/** What a ready shell is created from. */
export interface ShellPlace {
  readonly surroundings: Surroundings;
  /** The environment prepared for commands. */
  readonly environment: NodeJS.ProcessEnv;
  /** A script to run before reading the profile. */
  readonly ahead: string;
  /** The script to run; its first parameter is the command. */
  readonly script: string;
  readonly groups: ProcessGroups;
}

/** A command for a ready shell. */
export interface ReadyCommand {
  readonly command: string;
  /** The names of the files for its output and for its final directory, in the folder of the output files. */
  readonly files: readonly string[];
}

/** A command that a shell has started. */
export interface BegunCommand {
  readonly group: number;
  readonly exited: Promise<number>;
  /** Ends it along with its whole process group. */
  kill(): Promise<void>;
}

/** How many sessions of a process may have a ready shell: each consists of two processes. */
const MOST = 4;
/** A shell that has been idle for this long is no longer needed. */
const IDLE_MS = 60_000;
/** How long to wait for a shell to start; after that, the system is stuck or another program has stopped it. */
const START_MS = 1000;
/** How long a launcher may take to report the end of a killed command. */
const REPORT_MS = 1000;
/** A longer command gets a shell of its own, because a shell reads its input byte by byte. */
const MAX_COMMAND_BYTES = 4096;
const KILLED = 128 + constants.signals.SIGKILL;

/**
 * Starts one shell after another, each as the leader of a separate process group, and prints the id of each when it starts and
 * its exit code when it has ended. Job control is off while it waits, because otherwise it would not wait for a stopped shell.
 * With a socket as its input, bash assumes a network login and reads the profile unless told not to.
 */
const LAUNCHER = `SHLVL=$((SHLVL - 1)); while :; do set -m; "$1" --norc -c "$2" "$3" "$4" "$5" <&0 >/dev/null 2>&1 & set +m; printf '%d\\n' $! || exit; wait $!; printf '%d\\n' $? || exit; done`;

const FIELDS = ["FOR", "OUTPUT", "FOLDER", "COMMAND"].map((field) => `AGENTWIRE_${field}`);

/**
 * Waits for a command, which must be addressed to this shell, and then continues as if started with it. The profile is read in
 * advance; it may define functions with the names of builtins.
 */
const waiting = ({ ahead, script }: Pick<ShellPlace, "ahead" | "script">) =>
  [
    `${ahead}[ -z "$1" ] || . "$1" >/dev/null 2>&1`,
    `${FIELDS.map((field) => `IFS= builtin read -r -d '' ${field} && `).join("")}[ "$AGENTWIRE_FOR" = $$ ] || builtin exit`,
    `command exec </dev/null >>"$2/$AGENTWIRE_OUTPUT" 2>&1 3>>"$2/$AGENTWIRE_FOLDER"`,
    `{ builtin set -- "$AGENTWIRE_COMMAND" \${1:+"$1"}; builtin unset ${FIELDS.join(" ")}; SECONDS=0; } 2>/dev/null`,
    script,
  ].join("; ");

/** Variables that make bash behave differently when it starts or reads, which would also affect the launcher. */
const TELLING = /^(?:BASH_ENV|SHELLOPTS|BASHOPTS|POSIXLY_CORRECT|TMOUT|BASH_FUNC_.*)$/;

/**
 * A shell that a small process starts in advance, before there is a command for it: starting one costs the agent 2 ms, because
 * the system copies the page tables of the starting process, and the shell itself takes another 2 ms. Each shell runs a single
 * command, so that no state of a call is left for the next.
 */
class ReadyShell {
  readonly #surroundings: Surroundings;
  readonly #groups: ProcessGroups;
  readonly #folder: Stats;
  readonly #launcher: ChildProcess;
  readonly #onEnd: () => void;
  /** The shell that is waiting or running its command. */
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

  /** Whether its shell is the same as one that would be started now. */
  suits(surroundings: Surroundings): boolean {
    if (!isSame(this.#surroundings, surroundings)) return false;
    const now = statSync(surroundings.cwd, { throwIfNoEntry: false });
    return now?.ino === this.#folder.ino && now.dev === this.#folder.dev;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Runs a command in the ready shell; undefined if there is none, which is known after a short wait. */
  async run({ command, files }: ReadyCommand): Promise<BegunCommand | undefined> {
    // From here on the shell is taken: of two concurrent calls, only one may have it.
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
    const kill = async () => {
      await endGroup(group);
      await within(REPORT_MS, async () => void (await exited));
      // A launcher that the command has stopped would never report the end, and whoever waits for it would wait forever.
      if (this.#shell === group) this.end();
    };
    return { group, exited, kill };
  }

  /** Ends the launcher and its shell, including a running command. */
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
    // The waiting shell was ended from outside.
    if (settle) settle(number);
    else this.end();
  }
}

/**
 * The ready shells, and the surroundings of each session's last command: a shell is prepared once two commands in a row have the
 * same.
 */
const shells = new Map<ProcessGroups, ReadyShell>();
const last = new WeakMap<ProcessGroups, Surroundings>();

/** Runs a command in a ready shell; undefined if there is none, so that the caller has to start one. */
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

/** Ends the ready shell of a session that has ended. */
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
  // As the first shell of a network login, bash reads the profile.
  !((env.SSH_CLIENT ?? env.SSH2_CLIENT) && !(Number(env.SHLVL) >= 1));
