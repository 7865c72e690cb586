import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { bashTool } from "../../../src/tools/bash/bash.ts";
import { forgetShells } from "../../../src/tools/bash/command.ts";
import { isAlive, newWorkbench, type Workbench } from "./workbench.ts";

const bash = bashTool();

/** What a command prints, and whether it ran in a ready shell: such shells are not our own child processes. */
async function run({ call }: Workbench, command: string) {
  const { content } = await call(bash, { command: `echo $PPID $$; ${command}` });
  const [, parent = "", shell = "", text = ""] =
    /^(?:Exit code \d+\n)?(\d+) (\d+)\n?(.*)$/s.exec(String(content)) ?? [];
  return {
    isReady: Number(parent) !== process.pid,
    launcher: Number(parent),
    shell: Number(shell),
    text,
    content,
  };
}

/** A workbench with a ready shell for the next command. */
async function warmWorkbench(prepare?: (bench: Workbench) => Promise<void>): Promise<Workbench> {
  const bench = await newWorkbench();
  await prepare?.(bench);
  expect((await run(bench, "true")).isReady).toBe(false);
  expect((await run(bench, "true")).isReady).toBe(true);
  return bench;
}

/** Everything that a command can find out about its environment, except what differs between any two processes. */
const SURROUNDINGS = [
  "env | grep -v ^_= | sort",
  "compgen -v | sort",
  "set -o; shopt; umask; ulimit -a; trap -p; alias; declare -F; jobs",
  'echo "$- $# $0 $1 $SHLVL $BASH $BASH_SUBSHELL [$OLDPWD] $(history | wc -l)"',
  // The shell's own file is read by the shell itself: while it starts another program, it blocks signals for a moment.
  "while builtin read -r line; do case $line in Sig[BIC]*) echo $line; esac; done < /proc/$$/status",
  "grep -E '^Sig(Blk|Ign)' /proc/self/status",
  "ls /proc/$$/fd",
  "readlink /proc/$$/fd/0; readlink /proc/$$/cwd; pwd",
  "[ $(ps -o pgid= -p $$) = $$ ] && echo leads its group",
  "nosuchprogram; echo $?",
].join("; ");

test("a command in a ready shell sees the same environment as in a new one", async () => {
  const bench = await newWorkbench();
  const outputs = [];
  for (let i = 0; i < 3; i++) outputs.push(await run(bench, SURROUNDINGS));
  expect(outputs.map(({ isReady }) => isReady)).toEqual([false, true, true]);
  const [fresh, ...ready] = outputs.map(({ text }) => text);
  expect(fresh).toContain("leads its group");
  for (const text of ready) expect(text).toBe(fresh);
});

test("a ready shell has the profile's settings, even functions with the names of the commands that it uses itself", async () => {
  const bench = await newWorkbench();
  const functions = ["read", "printf", "exec", "set", "unset", "wait", "cd", "exit"];
  await writeFile(
    join(bench.folder, ".bashrc"),
    `alias greet='echo hello'; shopt -s nullglob; ${functions.map((name) => `${name}() { builtin ${name} "$@"; }; `).join("")}`,
  );
  const probe = "greet; shopt nullglob; declare -F";
  const [fresh, ready] = [await run(bench, probe), await run(bench, probe)];
  expect([fresh.isReady, ready.isReady]).toEqual([false, true]);
  expect(fresh.text).toContain("hello");
  expect(ready.text).toBe(fresh.text);
});

test("a command leaves nothing behind for the next one", async () => {
  const bench = await warmWorkbench();
  await run(
    bench,
    "x=1; export y=2; f() { :; }; alias a=b; set -f; shopt -s nullglob; umask 077; trap 'echo bye' USR1",
  );
  const { isReady, text } = await run(
    bench,
    'echo "[$x$y]"; declare -F f; alias; umask; trap -p; shopt nullglob; echo $-',
  );
  expect(isReady).toBe(true);
  expect(text).toMatch(/^\[\]\n0022\ntrap -- .*EXIT\nnullglob +\toff\nhBc$/);
});

describe("the end of a command", () => {
  test.each([
    ["exit 3", "Exit code 3"],
    ["kill -9 $$", "Exit code 137"],
    ["kill -TERM $$", "Exit code 143"],
    ["if then", "Exit code 2"],
  ])("by %s has the right exit code", async (command, code) => {
    const bench = await warmWorkbench();
    const { content } = await bench.call(bash, { command });
    expect(String(content).split("\n")[0]).toBe(code);
    expect((await run(bench, "echo on")).text).toBe("on");
  });

  test("is waited for even if the shell was stopped for a while", async () => {
    const bench = await warmWorkbench();
    const { text } = await run(bench, "(sleep 0.2; kill -CONT $$) & kill -STOP $$; echo on");
    expect(text).toBe("on");
  });

  test("by an interrupt includes the whole group", async () => {
    const bench = await warmWorkbench();
    const interrupt = new AbortController();
    const call = bench.call(
      bash,
      { command: "sleep 60 & echo $! > child; echo $PPID > launcher; wait" },
      interrupt.signal,
    );
    const ended = expect(call).rejects.toThrow();
    const child = await pidIn(bench, "child");
    expect(await pidIn(bench, "launcher")).not.toBe(process.pid);
    interrupt.abort();
    await ended;
    expect(await isAlive(child)).toBe(false);
    expect((await run(bench, "echo on")).text).toBe("on");
  });

  test("by an interrupt is final even if the command has stopped the process that would report it", async () => {
    const bench = await warmWorkbench();
    const interrupt = new AbortController();
    const command = "echo $PPID > launcher; kill -STOP $PPID";
    const ended = expect(bench.call(bash, { command }, interrupt.signal)).rejects.toThrow();
    const launcher = await pidIn(bench, "launcher");
    interrupt.abort();
    await ended;
    await expect.poll(() => isAlive(launcher)).toBe(false);
    expect((await run(bench, "echo on")).text).toBe("on");
  });
});

async function pidIn({ folder }: Workbench, file: string): Promise<number> {
  for (;;) {
    const text = await readFile(join(folder, file), "utf8").catch(() => "");
    if (text.endsWith("\n")) return Number(text);
    await delay(5);
  }
}

describe("the working folder", () => {
  test("is that of the previous cd, as reported by the ready shell", async () => {
    const bench = await warmWorkbench(({ folder }) => mkdir(join(folder, "sub")).then(() => {}));
    await run(bench, "cd sub");
    const outputs = [];
    for (let i = 0; i < 3; i++) outputs.push(await run(bench, "pwd; /bin/pwd"));
    const sub = join(bench.folder, "sub");
    expect(outputs.map(({ text }) => text)).toEqual(Array(3).fill(`${sub}\n${sub}`));
    expect(outputs.at(-1)?.isReady).toBe(true);
  });

  test("is the one that currently has its name", async () => {
    const bench = await warmWorkbench();
    const { workspace, folder } = bench;
    const place = join(folder, "place");
    await mkdir(place);
    workspace.cwd = place;
    await run(bench, "true");
    expect((await run(bench, "true")).isReady).toBe(true);
    await rename(place, join(folder, "other"));
    await mkdir(place);
    await writeFile(join(place, "new"), "");
    expect((await run(bench, "ls")).text).toBe("new");
  });
});

describe("no ready shell is used", () => {
  test("for a command that runs in parallel with another, or is too long to be passed", async () => {
    const bench = await warmWorkbench();
    const runs = await Promise.all([run(bench, "sleep 0.2"), run(bench, "sleep 0.2")]);
    expect(runs.map(({ isReady }) => isReady).sort()).toEqual([false, true]);
    expect((await run(bench, `: ${"x".repeat(5000)}`)).isReady).toBe(false);
    expect((await run(bench, "true")).isReady).toBe(true);
  });

  test("if a variable changes how bash starts", async () => {
    const bench = await newWorkbench();
    await writeFile(join(bench.folder, "first.sh"), "echo started\n");
    Object.assign(bench.workspace, {
      env: { ...bench.workspace.env, BASH_ENV: join(bench.folder, "first.sh") },
    });
    for (let i = 0; i < 3; i++)
      expect((await bench.call(bash, { command: "echo on" })).content).toBe("started\non");
  });

  test("by more than four sessions of a process", async () => {
    const benches = await Promise.all(Array.from({ length: 4 }, () => warmWorkbench()));
    const fifth = await newWorkbench();
    for (let i = 0; i < 3; i++) expect((await run(fifth, "true")).isReady).toBe(false);
    await forgetShells(benches[0]?.workspace.tasks.groups ?? expect.fail());
    expect((await run(fifth, "true")).isReady).toBe(true);
  });
});

test("a ready shell that was killed is replaced", async () => {
  const bench = await warmWorkbench();
  const { launcher, shell } = await run(bench, "true");
  const [waiting = 0] = (await childrenOf(launcher)).filter((pid) => pid !== shell);
  process.kill(waiting, "SIGKILL");
  while (await isAlive(launcher)) await delay(5);
  for (const isReady of [true, true]) expect((await run(bench, "true")).isReady).toBe(isReady);
});

test("the end of a session ends its ready shell, and leaves no file", async () => {
  const bench = await warmWorkbench();
  const { launcher } = await run(bench, "true");
  const children = await childrenOf(launcher);
  expect(children).toHaveLength(1);
  await bench.workspace.tasks.stopAll();
  await forgetShells(bench.workspace.tasks.groups);
  for (const pid of [launcher, ...children]) expect(await isAlive(pid)).toBe(false);
  expect(await readdir(bench.workspace.outputFolder)).toEqual([]);
});

/** The child processes of a process, as soon as there are any. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  for (;;) {
    const found = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim();
    if (found !== "") return found.split(" ").map(Number);
    await delay(5);
  }
}
