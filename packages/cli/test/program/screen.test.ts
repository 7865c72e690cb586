import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { showcase } from "../../../web/test/browser/showcase.ts";
import { use } from "../../../web/test/browser/tool-use.ts";
import { clientAt } from "../../src/talk/client.ts";
import { Home, PROGRAM } from "./home.ts";
import { Tmux } from "./tmux.ts";

const AGENT = new URL("../../../agent/bin/agentwire-agent", import.meta.url).pathname;
const SLOW_LINE = new URL("../slow-line.py", import.meta.url).pathname;
const COMMAND = `${process.execPath} ${PROGRAM}`;

const PLAN = "## Plan\n\n1. Read the lexer\n2. Change it";

/** A real picture of one point. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const SCRIPTS = {
  planner: {
    steps: [
      { content: [use("toolu_plan", "ExitPlanMode", { plan: PLAN })] },
      {
        content: [
          { type: "text", text: "Now the lexer." },
          use("toolu_write", "Write", { file_path: "{{cwd}}/lexer.ts", content: "export {};\n" }),
        ],
      },
      { text: "The lexer is done." },
    ],
    whenExhausted: { text: "שלום עולם, said the model." },
  },
  // Prints something, and waits until somebody has seen it.
  builder: {
    steps: [
      {
        content: [
          use("toolu_make", "Bash", {
            command:
              "echo compiling; printf '10 %%\\r50 %%'; until [ -e seen ]; do sleep 0.1; done; echo; echo linked",
          }),
        ],
      },
      { text: "Built.", usage: { input_tokens: 30_000, output_tokens: 100 } },
    ],
  },
};

let home: Home;
let terminal: Tmux | undefined;

beforeAll(() => {
  home = new Home();
  mkdirSync(home.state, { mode: 0o700 });
  mkdirSync(join(home.project, "src"));
  const agents = Object.entries({ ...showcase, ...SCRIPTS }).map(([name, script]) => {
    const file = join(home.folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(script));
    return [name, { path: AGENT, env: { AGENTWIRE_SCRIPT: file } }];
  });
  writeFileSync(
    join(home.state, "settings.json"),
    JSON.stringify({
      default_agent: "agentwire",
      agents: Object.fromEntries(agents),
      daemon: { spare_processes: 0 },
    }),
  );
});

afterAll(async () => {
  terminal?.close();
  await home.end();
});

/** A terminal of its own for each test. */
function sit(columns: number, rows: number, env: NodeJS.ProcessEnv = {}): Tmux {
  terminal?.close();
  terminal = new Tmux(home, { columns, rows }, env);
  return terminal;
}

test("a turn from prompt to result at 80×24: thinking, calls, to-do list, the change in the question, a table", async () => {
  writeFileSync(
    join(home.project, "src/price.ts"),
    'export function price(cents: number): string {\n  return "$" + cents / 100;\n}\n',
  );
  const screen = sit(80, 24);
  screen.type(`${COMMAND} --agent fixer`);
  screen.press("Enter");
  await screen.see("? for keys");
  screen.type("prices lose a digit");
  await screen.see("› prices lose a digit");
  screen.press("Enter");
  const asked = await screen.see("Edit needs your permission");
  expect(asked).toContain("- " + '  return "$" + cents / 100;');
  expect(asked).toContain("+   const dollars = (cents / 100).toFixed(2);");
  await screen.pressUntil("a", "Always allow in this project: Edit(");
  screen.press("Escape");
  await screen.see("y once");
  // In the middle of a question the terminal becomes another one.
  screen.resize(120, 40);
  screen.press("y");
  await screen.see("two digits after the point");
  await screen.see("$5.10");
  const all = screen.text({ all: true });
  for (const wanted of [
    "∴ 5.1 comes from a division",
    "● Grep cents",
    "● Read src/price.ts",
    "● Edit src/price.ts +2 −1",
    "cents │ before │ after",
  ])
    expect(all.split(wanted), wanted).toHaveLength(2);
  expect(readFileSync(join(home.project, "src/price.ts"), "utf8")).toContain("toFixed(2)");
  await screen.see(/default mode · claude.* · \$/);
  screen.press("C-d");
  // What is typed before the shell asks for it is the program's.
  await screen.see(/The session is kept: agentwire --resume \w+\n\$/);
  screen.type("echo $((40 + 2))");
  screen.press("Enter");
  await screen.see(/^42$/m);
}, 120_000);

test("a running command shows what it prints, and the status line how full the context is", async () => {
  const screen = sit(80, 24);
  screen.type(`${COMMAND} --agent builder --mode bypassPermissions`);
  screen.press("Enter");
  await screen.see("? for keys");
  screen.type("build it");
  screen.press("Enter");
  // Of a line that is written over again the last state.
  const running = await screen.see(/⎿ compiling\n\s+50 %[\s\S]*Esc interrupts/);
  expect(running).not.toMatch(/^\s+10 %/m);
  writeFileSync(join(home.project, "seen"), "");
  await screen.see("Built.");
  await screen.see(/⎿ compiling\n.*50 %\n\s+linked/);
  await screen.see(/bypassPermissions mode · .*\d % of \d+[kM] context/);
  screen.press("C-d");
  await screen.see("The session is kept");
}, 120_000);

test("a plan is carried out, the model changed, pictures attached, and Esc Esc goes back, at 200×60 and then 80×24", async () => {
  const screen = sit(200, 60, { PATH: `${join(home.folder, "bin")}:${process.env.PATH}` });
  screen.type(`${COMMAND} --agent planner --mode plan`);
  screen.press("Enter");
  await screen.see("plan mode");
  screen.type("rewrite the lexer");
  screen.press("Enter");
  await screen.see(/The plan is ready[\s\S]*2\. Change it[\s\S]*a carry it out, and accept edits/);
  screen.resize(80, 24);
  await screen.pressUntil("n", "No, because: ");
  screen.press("Escape");
  await screen.see("n plan again");
  screen.press("a");
  // Edits are accepted from here on, so nothing else is asked.
  await screen.see("The lexer is done.");
  await screen.see("acceptEdits mode");
  expect(readFileSync(join(home.project, "lexer.ts"), "utf8")).toBe("export {};\n");

  screen.type("/model");
  await screen.see("❯ /model");
  screen.press("Enter");
  await screen.see("❯ the agent's own choice");
  screen.type("haiku");
  await screen.see(/❯ .*haiku/);
  screen.press("Enter");
  await screen.see(/the model is .*haiku.* now/);
  await screen.see(/acceptEdits mode · .*haiku/);

  const picture = join(home.project, "a picture.png");
  writeFileSync(picture, PNG);
  // What terminals paste for a file that is dropped on them, then the clipboard.
  screen.paste(`'${picture}'`);
  await screen.see("[image 1]");
  mkdirSync(join(home.folder, "bin"));
  writeFileSync(join(home.folder, "bin/wl-paste"), `#!/bin/sh\nexec cat '${picture}'\n`, { mode: 0o755 });
  screen.press("C-v");
  await screen.see("[image 1] [image 2]");
  screen.type("שלום, what is this?");
  await screen.see("› שלום, what is this?");
  screen.press("Enter");
  await screen.see("[2 images]");
  await screen.see("שלום עולם, said the model.");

  screen.press("Escape", "Escape");
  await screen.see("Go back to before");
  screen.type("rewrite");
  await screen.see("❯ rewrite the lexer");
  screen.press("Enter");
  await screen.see(/❯ conversation and files .*2 prompts/);
  screen.press("Enter");
  await screen.see(/took back 2 prompts, put back lexer.ts/);
  await screen.see("› rewrite the lexer");
  expect(existsSync(join(home.project, "lexer.ts"))).toBe(false);
  screen.press("C-c", "C-d");
  await screen.see("The session is kept");
}, 120_000);

test("behind a line with 200 ms of delay each way nothing that is typed is lost, and the screen is right", async () => {
  const screen = sit(80, 24);
  screen.type(`python3 ${SLOW_LINE} 0.2 ${COMMAND} --agent talker`);
  screen.press("Enter");
  await screen.see("? for keys");
  screen.type("begin with the lexer");
  screen.press("Enter");
  // Typed without waiting for anything to be seen, while the reply streams and the terminal changes.
  screen.type("then the parser, wonce");
  screen.press("Left", "Left", "Left", "Left", "BSpace", "End");
  screen.resize(100, 30);
  screen.type(" more");
  await screen.see("I begin with the lexer. I begin");
  await screen.see("› then the parser, once more");
  screen.press("C-c");
  await screen.see("? for keys");
  screen.press("Escape");
  const over = await screen.see(/\(interrupted\)[\s\S]*\? for keys/);
  expect(over.split("› begin with the lexer")).toHaveLength(2);
  expect(over.match(/\? for keys/g)).toHaveLength(1);
  screen.press("C-d");
  await screen.see("The session is kept");
}, 120_000);

test("lists, history, several lines, wide characters, modes, interrupt, Ctrl-Z, other sessions, at 200×60 and then 80×24", async () => {
  const screen = sit(200, 60);
  screen.type(`${COMMAND} --agent talker`);
  screen.press("Enter");
  await screen.see("? for keys");
  screen.press("BTab");
  await screen.see("acceptEdits mode");
  screen.type("/");
  await screen.see("/sessions  list sessions");
  screen.press("Escape");
  screen.press("BSpace");
  await screen.see("? for keys");
  screen.type("read @pri");
  await screen.see("❯ src/price.ts");
  screen.press("Enter");
  await screen.see("› read @src/price.ts");
  screen.press("M-Enter");
  screen.paste("漢字 and 👩‍💻\nlast");
  const written = await screen.see("last");
  expect(written).toContain("  漢字 and");
  screen.press("C-c");
  await screen.see("? for keys");
  screen.type("begin with the lexer");
  screen.press("Enter");
  await screen.see("I begin with the lexer. I begin");
  screen.resize(80, 24);
  await screen.see("Esc interrupts");
  screen.type("and then the parser");
  screen.press("Enter");
  await screen.see("⏳ next: and then the parser");
  screen.press("Escape");
  await screen.see("(interrupted)");
  screen.press("C-z");
  await screen.see(/^\$$/m);
  screen.type("fg");
  screen.press("Enter");
  await screen.see("acceptEdits mode");

  // Another session asks, and this one says so.
  const { sessions } = clientAt({ socketPath: join(home.state, "daemon.sock") }, "another");
  await sessions.createSession({ cwd: home.project, agent: "upgrader", prompt: "upgrade" });
  await screen.see("● 1 session asks (Ctrl-G)");
  screen.press("C-g");
  await screen.see("❯ a new session here");
  screen.type("prices lose");
  await screen.see(/❯ prices lose a digit/);
  screen.press("Enter");
  await screen.see("two digits after the point");
  screen.press("C-r");
  screen.type("begin");
  await screen.see("❯ begin with the lexer");
  screen.press("Enter");
  await screen.see("› begin with the lexer");
  screen.press("C-c");
  screen.press("C-c");
  await screen.see("Ctrl-C again leaves");
  screen.press("C-c");
  await screen.see("The session is kept");
}, 120_000);

test("as plain lines it says whole texts, asks in words and draws nothing again; colors are those of the palette, or none", async () => {
  const sitting = home.sit(["--screen", "plain"]);
  await sitting.see("Type a prompt and press Enter");
  sitting.type("run touch plainly\r");
  await sitting.see("Question: may Bash run?\r\n$ touch plainly");
  await sitting.see("Type y for yes,");
  sitting.type("y\r");
  await sitting.see("I did what you asked");
  await sitting.see("(");
  sitting.type("\x04");
  expect(await sitting.end()).toBe(0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing may steer the terminal.
  expect(sitting.all).not.toMatch(/\u001b/);

  const colored = sit(80, 24, { NO_COLOR: undefined, AGENTWIRE_SCREEN: "alternate" });
  colored.type(`${COMMAND} --continue`);
  colored.press("Enter");
  await colored.see("I did what you asked");
  const looks = new Set(colored.text({ withLooks: true }).match(/\d+(?=m)/g));
  expect(looks.size).toBeGreaterThan(3);
  for (const code of looks)
    expect(["0", "1", "2", "3", "4", "9", "39", "49"].includes(code) || /^3[0-7]$/.test(code), code).toBe(
      true,
    );
  colored.press("C-d");
  // The alternate screen leaves what was there before.
  await colored.see(`${PROGRAM} --continue`.slice(-30));
}, 120_000);
