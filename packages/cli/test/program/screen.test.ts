import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionStatus } from "@agentwire/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientAt } from "../../src/talk/client.ts";
import { COMMAND, LARGE, Seat, SMALL } from "./seat.ts";

/** A real image of one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let seat: Seat;

beforeAll(() => {
  seat = new Seat();
});

afterAll(() => seat.end());

describe.each([
  { name: "at 80×24, later resized to 200×60", size: SMALL, other: LARGE },
  { name: "at 200×60, later resized to 80×24", size: LARGE, other: SMALL },
])("$name", ({ size, other }) => {
  beforeAll(() => {
    for (const name of ["seen", "lexer.ts", "one.txt", "two.txt"])
      rmSync(join(seat.home.project, name), { force: true });
  });

  test("shows a turn from prompt to result: thinking, calls, to-do list, the change in the question, a table", async () => {
    writeFileSync(
      join(seat.home.project, "src/price.ts"),
      'export function price(cents: number): string {\n  return "$" + cents / 100;\n}\n',
    );
    const screen = await seat.sit(size);
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
    // A sentence goes to the prompt, typed or pasted, even if it starts with a key of the question.
    screen.type("yes, but why");
    await screen.see(/Tab to answer[\s\S]*› yes, but why/);
    screen.press("C-u");
    await screen.see("y once");
    screen.paste("y");
    await screen.see(/Tab to answer[\s\S]*› y$/m);
    screen.press("BSpace");
    await screen.see("y once");
    // The terminal is resized in the middle of a question.
    screen.resize(other);
    await screen.pressUntil("d", "No, because: ");
    screen.press("Escape");
    await screen.see("y once");
    screen.press("y");
    await screen.see("two digits after the point");
    await screen.see("$5.10");
    const all = await screen.text({ all: true });
    const seen = await screen.text();
    for (const wanted of [
      "∴ 5.1 comes from a division",
      "● Grep cents",
      "● Read src/price.ts",
      "● Edit src/price.ts +2 −1",
      "cents │ before │ after",
    ]) {
      expect(all).toContain(wanted);
      // After shrinking, a terminal may keep in its history rows that are drawn again below.
      expect((size === SMALL ? all : seen).split(wanted).length, wanted).toBeLessThanOrEqual(2);
    }
    expect(readFileSync(join(seat.home.project, "src/price.ts"), "utf8")).toContain("toFixed(2)");
    await screen.see(/default mode · claude.* · \$/);
    // Ctrl-O expands folded parts, and Ctrl-L removes what another program wrote.
    screen.press("C-o");
    await screen.see("are now expanded");
    expect(await screen.text({ all: true })).toContain(
      "∴ 5.1 comes from a division. Look at the code first.",
    );
    await screen.spoil("written by another program");
    await screen.see("written by another program");
    screen.press("C-l");
    await screen.see("written by another program", false);
    expect((await screen.text()).match(/default mode/g)).toHaveLength(1);
    screen.press("C-d");
    // Keys typed before the shell prompts for input are read by the program.
    await screen.see(/The session is kept: agentwire --resume \w+\n\$/);
    screen.type("echo $((40 + 2))");
    screen.press("Enter");
    await screen.see(/^42$/m);
  }, 120_000);

  test("shows the output of a running command, and the context usage in the status line", async () => {
    const screen = await seat.sit(size);
    screen.type(`${COMMAND} --agent builder --mode bypassPermissions`);
    screen.press("Enter");
    await screen.see("? for keys");
    screen.type("build it");
    screen.press("Enter");
    // Only the last state of an overwritten line is shown.
    const running = await screen.see(/⎿ compiling\n\s+50 %[\s\S]*Esc interrupts/);
    expect(running).not.toMatch(/^\s+10 %/m);
    writeFileSync(join(seat.home.project, "seen"), "");
    await screen.see("Built.");
    await screen.see(/⎿ compiling\n.*50 %\n\s+linked/);
    await screen.see(/bypassPermissions mode · .*\d % of \d+[kM] context/);
    screen.press("C-d");
    await screen.see("The session is kept");
  }, 120_000);

  test("carries out a plan, changes the model, attaches images, and rewinds with Esc Esc", async () => {
    const screen = await seat.sit(size, { PATH: `${join(seat.home.folder, "bin")}:${process.env.PATH}` });
    screen.type(`${COMMAND} --agent planner --mode plan`);
    screen.press("Enter");
    await screen.see("plan mode");
    screen.type("rewrite the lexer");
    screen.press("Enter");
    await screen.see(/The plan is ready[\s\S]*2\. Change it[\s\S]*a carry it out and accept edits/);
    screen.resize(other);
    await screen.pressUntil("n", "No, because: ");
    screen.press("Escape");
    await screen.see("n plan again");
    screen.press("a");
    // Edits are accepted from here on, so nothing else is asked.
    await screen.see("The lexer is done.");
    await screen.see("acceptEdits mode");
    expect(readFileSync(join(seat.home.project, "lexer.ts"), "utf8")).toBe("export {};\n");

    screen.type("/model");
    await screen.see("❯ /model");
    screen.press("Enter");
    await screen.see("❯ the agent's own choice");
    screen.type("haiku");
    await screen.see(/❯ .*haiku/);
    screen.press("Enter");
    await screen.see(/the model is now .*haiku/);
    await screen.see(/acceptEdits mode · .*haiku/);

    const picture = join(seat.home.project, "a picture.png");
    writeFileSync(picture, PNG);
    // First as terminals paste a dropped file, then from the clipboard.
    screen.paste(`'${picture}'`);
    await screen.see("[image 1]");
    mkdirSync(join(seat.home.folder, "bin"), { recursive: true });
    writeFileSync(join(seat.home.folder, "bin/wl-paste"), `#!/bin/sh\nexec cat '${picture}'\n`, {
      mode: 0o755,
    });
    screen.press("C-v");
    await screen.see("[image 1] [image 2]");
    // tmux shows right-to-left text in the order it receives it.
    screen.type("what is שלום?");
    await screen.see("› what is םולש?");
    screen.press("Enter");
    await screen.see("[2 images]");
    await screen.see("The file is called םולש.txt now.");

    screen.press("Escape", "Escape");
    await screen.see("Go back to before");
    screen.type("rewrite");
    await screen.see("❯ rewrite the lexer");
    screen.press("Enter");
    await screen.see(/❯ conversation and files .*2 prompts/);
    screen.press("Enter");
    await screen.see(/took back 2 prompts, put back lexer.ts/);
    await screen.see("› rewrite the lexer");
    expect(existsSync(join(seat.home.project, "lexer.ts"))).toBe(false);
    screen.press("C-c", "C-d");
    await screen.see("The session is kept");
  }, 120_000);

  test("handles lists, history, multiple lines, wide characters, modes, interrupt, Ctrl-Z and other sessions", async () => {
    const screen = await seat.sit(size);
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
    screen.type("then");
    screen.press("C-j");
    screen.paste("漢字 and 👩‍💻\nlast");
    const written = await screen.see("last");
    expect(written).toContain("  漢字 and");
    screen.press("C-c");
    await screen.see("? for keys");
    screen.type("begin with the lexer");
    screen.press("Enter");
    await screen.see("I begin with the lexer. I begin");
    screen.resize(other);
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

    // Another session asks a question, and this one shows it.
    const { sessions } = clientAt({ socketPath: join(seat.home.state, "daemon.sock") }, "another");
    const upgrade = { cwd: seat.home.project, agent: "upgrader", prompt: "upgrade" };
    const { session: asking } = await sessions.createSession(upgrade);
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
    await sessions.interrupt({ sessionId: asking?.id ?? "" });
    await screen.see("session asks", false);
    screen.press("C-c");
    screen.press("C-c");
    await screen.see("press Ctrl-C again to leave");
    screen.press("C-c");
    await screen.see("The session is kept");
  }, 120_000);

  test("answers by number, edits a rule, colors code, follows other clients, and keeps the turn running when closed", async () => {
    const screen = await seat.sit(size, { NO_COLOR: undefined, AGENTWIRE_SCREEN: "alternate" });
    screen.type(`${COMMAND} --agent asker`);
    screen.press("Enter");
    await screen.see("? for keys");
    screen.type("which colors?");
    screen.press("Enter");
    await screen.see(/1\. ☐ red – as red as can be[\s\S]*4\. something else/);
    await screen.pressUntil("3", "☑ blue");
    screen.resize(other);
    screen.press("Up", "Space");
    await screen.see(/2\. ☑ green[\s\S]*3\. ☑ blue/);
    screen.press("Enter");
    await screen.see("$ touch one.txt");
    await screen.pressUntil("a", "Always allow in this project: Bash(touch");
    // The rule is widened, so that the second command is not asked about.
    screen.press("C-a", "C-k");
    screen.type("Bash(touch *.txt)");
    await screen.see("project: Bash(touch *.txt)");
    screen.press("Enter");
    await screen.see("const answer = 42;");
    expect(await screen.text({ withLooks: true })).toMatch(/\p{Cc}\[35mconst\p{Cc}\[39m answer/u);
    expect(existsSync(join(seat.home.project, "two.txt"))).toBe(true);
    expect((await seat.home.run(["rules", "remove", "Bash(touch *.txt)"])).code).toBe(0);

    // A client beside it, such as the console: each shows at once what the other does.
    const { sessions } = clientAt({ socketPath: join(seat.home.state, "daemon.sock") }, "another");
    const [session] = (await sessions.listSessions({ cwd: seat.home.project, pageSize: 1 })).sessions;
    if (!session) throw new Error("there is no session");
    await sessions.sendPrompt({ sessionId: session.id, text: "said elsewhere" });
    await screen.see(/› said elsewhere[\s\S]*Nothing else/);
    const leave = new AbortController();
    const watched = sessions.watch(
      { sessionId: session.id, afterSeq: session.lastSeq },
      { signal: leave.signal },
    );
    screen.type("said here");
    screen.press("Enter");
    for await (const { events } of watched)
      if (events.some(({ body }) => body.case === "userInput" && body.value.text === "said here")) break;
    leave.abort();
    await screen.see(/› said here[\s\S]*Nothing else/);
    screen.press("C-d");
    await screen.see("The session is kept");

    // The terminal is closed in the middle of a turn, which continues without it.
    const { session: busy } = await sessions.createSession({
      cwd: seat.home.project,
      agent: "talker",
      prompt: "begin",
    });
    if (!busy) throw new Error("there is no session");
    screen.type(`${COMMAND} --resume ${busy.id}`);
    screen.press("Enter");
    await screen.see("I begin with the lexer. I begin");
    await seat.close();
    expect((await sessions.getSession({ sessionId: busy.id })).session?.status).toBe(SessionStatus.RUNNING);
    await sessions.interrupt({ sessionId: busy.id });
  }, 120_000);
});
