import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { debianProgram } from "../../../../../test/debian.ts";
import { bashTool } from "../../../src/tools/bash/bash.ts";
import { isAlive, newWorkbench } from "./workbench.ts";

const bash = bashTool();

describe("output", () => {
  test("a command's outputs are joined in the order they were written", async () => {
    const { call } = await newWorkbench();
    expect(await call(bash, { command: "echo out; echo err >&2; echo more" })).toEqual({
      content: "out\nerr\nmore",
      data: {
        stdout: "out\nerr\nmore",
        stderr: "",
        interrupted: false,
        isImage: false,
        noOutputExpected: false,
      },
    });
  });

  test("empty lines around an output are removed, but not the indentation of its first line", async () => {
    const { call } = await newWorkbench();
    const { content } = await call(bash, { command: "printf '\\n  \\n  first\\n\\nlast\\n\\n'" });
    expect(content).toBe("  first\n\nlast");
  });

  test("commands can detect that an agent runs them", async () => {
    const { call } = await newWorkbench();
    const { content } = await call(bash, { command: "echo $CLAUDECODE $CLAUDE_CODE_ENTRYPOINT $GIT_EDITOR" });
    expect(content).toBe("1 sdk-cli true");
  });

  test("a command without output has a result that says so", async () => {
    const { call } = await newWorkbench();
    const { content, data } = await call(bash, { command: "touch made.txt" });
    expect(content).toBe("(Bash completed with no output)");
    expect(data).toMatchObject({ stdout: "", noOutputExpected: true });
  });

  test("only an output that is too long remains in the output folder", async () => {
    const { call, workspace } = await newWorkbench();
    await call(bash, { command: "echo short" });
    expect(await readdir(workspace.outputFolder)).toEqual([]);
  });

  test("a long output is written to a file, and the model receives its path and its beginning", async () => {
    const { call } = await newWorkbench();
    const { content, data } = await call(bash, { command: "seq 1 200000; echo end >&2" });
    const { persistedOutputPath, persistedOutputSize, stdout } = data as Record<string, string>;
    expect(content).toMatch(/^<persisted-output>\n.*1\.2MB.*\n\n.*\n1\n2\n3\n/);
    expect(content).toContain(persistedOutputPath);
    expect(String(content).length).toBeLessThan(3000);
    expect(stdout).toHaveLength(30_000);
    expect(persistedOutputSize).toBe(1288895 + 4);
    expect(await readFile(String(persistedOutputPath), "utf8")).toMatch(/200000\nend\n$/);
  });

  test("a command that prints endlessly is stopped, and the size of its file is limited", async () => {
    const { call, workspace } = await newWorkbench();
    const { content, isError } = await call(bash, { command: "yes" });
    expect(isError).toBe(true);
    expect(content).toContain("printed more than 64 MB");
    const [name = ""] = await readdir(workspace.outputFolder);
    expect((await stat(join(workspace.outputFolder, name))).size).toBe(64 * 1024 * 1024);
  });

  test("an image printed as a data URL becomes an image", async () => {
    const { call } = await newWorkbench();
    const { content, data } = await call(bash, { command: "echo 'data:image/png;base64,iVBORw0KGgo='" });
    expect(content).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
    ]);
    expect(data).toMatchObject({ isImage: true });
  });

  test("invalid UTF-8 and incomplete characters do not break a result", async () => {
    const { call } = await newWorkbench();
    const { content } = await call(bash, { command: "printf '\\377a'" });
    expect(content).toBe("\uFFFDa");
    const { data } = await call(bash, { command: "printf x; for i in $(seq 20000); do printf '😀'; done" });
    expect((data as { stdout: string }).stdout).toHaveLength(29_999);
  });
});

describe("exit codes", () => {
  test("the result of a failure starts with the exit code", async () => {
    const { call } = await newWorkbench();
    const outcome = await call(bash, { command: "echo out; echo err >&2; exit 3" });
    expect(outcome).toEqual({ content: "Exit code 3\nout\nerr", isError: true });
  });

  test.each([
    ["grep nothing /dev/null", "No matches found"],
    ["echo a | grep b", "No matches found"],
    ["echo a > a; echo b > b; true; diff a b", "Files differ"],
    ["diff /etc/passwd /dev/null", "Files differ"],
    ["test -e /nowhere", "The condition is false"],
    ["false && grep a b", "No matches found"],
    ["false", undefined],
  ])("exit code 1 of `%s` means: %s", async (command, meaning) => {
    const { call } = await newWorkbench();
    const { isError, data } = await call(bash, { command });
    expect(isError ?? false).toBe(meaning === undefined);
    if (meaning) expect(data).toMatchObject({ returnCodeInterpretation: meaning });
  });

  test("a syntax error shows only the command", async () => {
    const { call } = await newWorkbench();
    const { content } = await call(bash, { command: "echo )" });
    expect(content).toMatch(/^Exit code \d\n.*syntax error/);
    expect(content).not.toContain("trap");
  });

  test("a shell that is killed has the exit code of its signal", async () => {
    const { call } = await newWorkbench();
    expect(await call(bash, { command: "kill -9 $$" })).toMatchObject({ content: "Exit code 137" });
  });
});

describe("environment", () => {
  test("a command has no input, and only the session's environment", async () => {
    const { call, folder } = await newWorkbench();
    const { content } = await call(bash, { command: 'cat; echo "$CLAUDECODE $HOME $VITEST."' });
    expect(content).toBe(`1 ${folder} .`);
  });

  test("a missing shell is replaced by an existing one", async () => {
    const { call, workspace } = await newWorkbench();
    Object.assign(workspace.env, { SHELL: "/nowhere/zsh" });
    expect(await call(bash, { command: "echo here" })).toMatchObject({ content: "here" });
  });

  test("rg is the installed one, or else the one that comes with the agent", async () => {
    const { call, folder, workspace } = await newWorkbench();
    const bin = join(folder, "bin");
    await mkdir(bin);
    await symlink("/bin/bash", join(bin, "bash"));
    Object.assign(workspace, { env: { PATH: bin, HOME: folder } });
    expect((await call(bash, { command: "rg --version" })).content).toMatch(/^ripgrep \d+/);
    await writeFile(join(bin, "rg"), "#!/bin/bash\necho its own", { mode: 0o755 });
    Object.assign(workspace, { env: { PATH: `${bin}:/nowhere`, HOME: folder } });
    expect((await call(bash, { command: "rg --version" })).content).toBe("its own");
  });

  test("a cd inside the project persists, even if the command exits", async () => {
    const { call, folder, workspace } = await newWorkbench();
    await mkdir(join(folder, "a b"));
    await call(bash, { command: 'cd "a b"; exit 0' });
    expect(workspace.cwd).toBe(join(folder, "a b"));
    expect(await call(bash, { command: "pwd" })).toMatchObject({ content: join(folder, "a b") });
  });

  test("a cd is not affected by the user's CDPATH", async () => {
    const { call, folder, workspace } = await newWorkbench();
    await Promise.all([mkdir(join(folder, "sub")), mkdir(join(folder, "else/sub"), { recursive: true })]);
    Object.assign(workspace.env, { SHELL: "/bin/bash", CDPATH: join(folder, "else") });
    await writeFile(join(folder, ".bashrc"), `CDPATH=${folder}/else\n`);
    expect(await call(bash, { command: "cd sub && pwd" })).toMatchObject({ content: join(folder, "sub") });
  });

  test.each(["cd /", "cd ..", "ln -s / way && cd way", "printf /etc >&3; trap - EXIT"])(
    "`%s` does not leave the project",
    async (command) => {
      const { call, folder, workspace } = await newWorkbench();
      const { content, data } = await call(bash, { command });
      expect(workspace.cwd).toBe(folder);
      expect(content).toContain(`Shell cwd was reset to ${folder}`);
      expect((data as { stderr: string }).stderr).toContain("cwd was reset");
    },
  );

  test("a cd out of the project from one of its folders returns to the session's first folder", async () => {
    const { call, folder, workspace } = await newWorkbench();
    await call(bash, { command: "mkdir sub && cd sub" });
    expect(workspace.cwd).toBe(join(folder, "sub"));
    await call(bash, { command: "cd /" });
    expect(workspace.cwd).toBe(folder);
  });

  test("a working folder that was removed is replaced by the project's", async () => {
    const { call, folder, workspace } = await newWorkbench();
    await mkdir(join(folder, "gone"));
    await call(bash, { command: "cd gone" });
    await call(bash, { command: `rmdir ${folder}/gone` });
    expect(await call(bash, { command: "pwd" })).toMatchObject({
      content: expect.stringContaining(`${folder}\n`),
    });
    expect(workspace.cwd).toBe(folder);
  });

  test("if the project's folder itself was removed, the result says so, and how to go on", async () => {
    const { call, folder, workspace } = await newWorkbench();
    const project = join(folder, "project");
    Object.assign(workspace, { cwd: project, roots: [project] });
    await expect(call(bash, { command: "pwd" })).rejects.toThrow(
      `The command could not be started, because the working folder ${project} does not exist any more. To create it again, write a file in it.`,
    );
  });

  test("a command that is too long for the system is refused with a message", async () => {
    const { call } = await newWorkbench();
    await expect(call(bash, { command: `: ${"x".repeat(3_000_000)}` })).rejects.toThrow("too long");
  });
});

describe("the user's profile", () => {
  const rc = [
    "alias hi='echo from an alias'",
    'greet() { echo "from a function: $1"; }',
    "_helper() { :; }",
    "export SET_BY_PROFILE=1",
    "echo printed by the profile",
  ].join("\n");

  test.each([
    ["bash", ".bashrc"],
    ["zsh", ".zshrc"],
  ])("provides aliases and functions to commands in %s, and is run once", async (name, file) => {
    const { call, folder, workspace } = await newWorkbench();
    const shell = debianProgram(name, [`/bin/${name}`, `/usr/bin/${name}`]);
    Object.assign(workspace.env, { SHELL: shell });
    await writeFile(join(folder, file), `echo run >> ${folder}/runs\n${rc}\n`);
    const command = 'hi; greet you; type _helper >/dev/null 2>&1 || echo "no helper [$SET_BY_PROFILE]"';
    const said = { content: "from an alias\nfrom a function: you\nno helper []" };
    expect(await call(bash, { command })).toMatchObject(said);
    expect(await call(bash, { command })).toMatchObject(said);
    expect(await readFile(join(folder, "runs"), "utf8")).toBe("run\n");
  });

  test("has no effect if it fails, and the command still runs", async () => {
    const { call, folder, workspace } = await newWorkbench();
    Object.assign(workspace.env, { SHELL: "/bin/bash" });
    await writeFile(join(folder, ".bashrc"), "alias hi='echo hi'\nexit 3\n");
    expect(await call(bash, { command: "echo here; hi" })).toMatchObject({
      content: expect.stringContaining("here\n"),
    });
  });

  test("does not affect patterns or the reporting of failing commands", async () => {
    const { call, folder, workspace } = await newWorkbench();
    Object.assign(workspace.env, { SHELL: "/bin/bash" });
    await writeFile(join(folder, ".bashrc"), "shopt -s extglob\nset -e\n");
    expect(await call(bash, { command: "false; shopt extglob" })).toMatchObject({
      content: expect.stringMatching(/extglob\s+off$/),
    });
  });
});

describe("ending", () => {
  test("a command that exceeds its timeout continues in the background", async () => {
    const { call, notices, folder, workspace } = await newWorkbench();
    const command = "echo begun; until [ -e go ]; do sleep 0.05; done; echo ended";
    const { content, isError, data } = await call(bash, { command, timeout: 300 });
    expect(isError).toBeUndefined();
    expect(content).toMatch(/^begun\nCommand running in background with ID: \w+\. .* timeout of 0\.3 s/);
    expect(data).toMatchObject({ stdout: "begun", interrupted: false, timedOutAfterMs: 300 });
    expect(notices).toMatchObject([
      { subtype: "background_tasks_changed" },
      { subtype: "task_started", is_backgrounded: true },
    ]);
    const [task] = workspace.tasks.running();
    await writeFile(join(folder, "go"), "");
    if (task) await workspace.tasks.whenEnded(task, AbortSignal.timeout(20_000));
    expect(task?.status).toBe("completed");
    expect(await readFile(String(task?.outputFile), "utf8")).toBe("begun\nended\n");
  });

  test("a command that only waits is stopped at its timeout, with its processes", async () => {
    const { call } = await newWorkbench();
    const command = "sleep 0.01; echo begun; (trap '' TERM; exec sleep 1000) & sleep 0; echo $!; wait";
    const { content, isError, data } = await call(bash, { command, timeout: 300 });
    expect(isError).toBe(true);
    expect(content).toMatch(/^Exit code 143\nCommand timed out after 0\.3s\nbegun\n\d+$/);
    expect(data).toMatchObject({ interrupted: true, timedOutAfterMs: 300 });
    expect(await isAlive(Number(/\d+$/.exec(String(content))?.[0]))).toBe(false);
  });

  test("a command that exceeds its timeout is stopped if its end could not be reported", async () => {
    const { call, workspace, notices } = await newWorkbench();
    const command = "echo begun; while :; do sleep 0.05; done";
    const context = { callId: "toolu_1", signal: new AbortController().signal };
    const outcome = await bash.run(
      { command, timeout: 300 },
      { ...context, workspace: { ...workspace, singleShot: true } },
    );
    expect(outcome).toMatchObject({
      isError: true,
      content: expect.stringContaining("timed out after 0.3s"),
    });
    expect(notices).toEqual([]);
    expect(await call(bash, { command: "echo still here" })).toMatchObject({ content: "still here" });
  });

  test("a timeout is at most ten minutes, and two minutes by default", async () => {
    const { readBashInput } = await import("../../../src/tools/bash/input.ts");
    expect(readBashInput({ command: "x", timeout: 1e9 }).timeoutMs).toBe(600_000);
    expect(readBashInput({ command: "x" }).timeoutMs).toBe(120_000);
    expect(readBashInput({ command: "x", timeout: -1 }).timeoutMs).toBe(120_000);
  });

  test("an interrupt ends the whole group at once, or after a second if it ignores SIGTERM", async () => {
    const { call, folder } = await newWorkbench();
    const interrupt = new AbortController();
    const command =
      "trap '' TERM; (exec sleep 1000) & (sleep 1000 & echo $! > pid2; wait) & echo $! > pid1; mkfifo ready; echo > ready; wait";
    const running = call(bash, { command }, interrupt.signal);
    running.catch(() => {});
    await waitForFifo(join(folder, "ready"));
    interrupt.abort(new Error("interrupted"));
    await expect(running).rejects.toThrow("interrupted");
    for (const name of ["pid1", "pid2"]) {
      expect(await isAlive(Number(await readFile(join(folder, name), "utf8")))).toBe(false);
    }
  });

  test("an interrupted call starts nothing", async () => {
    const { call, folder } = await newWorkbench();
    await expect(call(bash, { command: "touch x" }, AbortSignal.abort())).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });

  test("background processes of a command do not delay its result, and end with the session", async () => {
    const { call, workspace } = await newWorkbench();
    const started = performance.now();
    const { content } = await call(bash, { command: "sleep 1000 & echo $!" });
    expect(performance.now() - started).toBeLessThan(5000);
    const pid = Number(content);
    expect(await isAlive(pid)).toBe(true);
    await workspace.tasks.stopAll();
    expect(await isAlive(pid)).toBe(false);
  });

  test("background processes of a command may not print endlessly", async () => {
    const { call, folder } = await newWorkbench();
    const { content } = await call(bash, { command: "(until [ -e go ]; do :; done; exec yes) & echo $!" });
    const pid = Number(content);
    expect(pid).toBeGreaterThan(1);
    await writeFile(join(folder, "go"), "");
    while (await isAlive(pid)) await delay(20);
  });

  test.each([
    ["sleep 30; echo never", true],
    ["sleep 30", true],
    ["  sleep 60 && date", true],
    ["sleep 25 | cat", true],
    ["sleep 1; echo soon", false],
    ["sleep 30 & echo now", false],
    ["echo sleep 30", false],
  ])("whether a command that starts with a wait is refused: `%s` %s", async (command, isRefused) => {
    const { call } = await newWorkbench();
    const { content, data } = await call(bash, { command });
    expect(/^<tool_use_error>Blocked: .*run_in_background/.test(String(content))).toBe(isRefused);
    if (isRefused) expect(data).toMatch(/^Error: Blocked: /);
  });
});

async function waitForFifo(path: string): Promise<void> {
  const exists = () =>
    stat(path).then(
      () => true,
      () => false,
    );
  // A watcher starts too late to see a FIFO that is made while it is being set up.
  while (!(await exists())) await delay(10);
  await readFile(path);
}
