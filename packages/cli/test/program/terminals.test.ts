import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROGRAM, python } from "./home.ts";
import { COMMAND, Seat, SMALL } from "./seat.ts";

const SLOW_LINE = new URL("../slow-line.py", import.meta.url).pathname;

/** Two key presses within this time count as a double press. */
const TWICE_MS = 800;

let seat: Seat;

beforeAll(() => {
  seat = new Seat();
});

afterAll(() => seat.end());

test("with a delay of 200 ms in each direction no key is lost, and the screen is right", async () => {
  const screen = await seat.sit(SMALL);
  screen.type(`${python()} ${SLOW_LINE} 0.2 ${COMMAND} --agent talker`);
  screen.press("Enter");
  await screen.see("? for keys");
  screen.type("begin with the lexer");
  screen.press("Enter");
  // Typed without waiting for output, while the reply streams and the terminal is resized.
  screen.type("then the parser, wonce");
  screen.press("Left", "Left", "Left", "Left", "BSpace", "End");
  screen.resize({ columns: 100, rows: 30 });
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

test("plain mode prints whole texts and redraws nothing; the colored screen uses palette colors only", async () => {
  const sitting = seat.home.sit(["--screen", "plain"]);
  await sitting.see("Type a prompt and press Enter");
  sitting.type("run touch plainly\r");
  await sitting.see("● Bash touch plainly\r\nQuestion: may Bash run?\r\n$ touch plainly");
  await sitting.see("Type y for yes,");
  sitting.type("y\r");
  await sitting.see("I did what you asked");
  await sitting.see("(");
  sitting.type("\x04");
  expect(await sitting.end()).toBe(0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain output must contain no control sequences.
  expect(sitting.all).not.toMatch(/\u001b/);

  const colored = await seat.sit(SMALL, { NO_COLOR: undefined, AGENTWIRE_SCREEN: "alternate" });
  colored.type(`${COMMAND} --continue`);
  colored.press("Enter");
  await colored.see("I did what you asked");
  const looks = new Set((await colored.text({ withLooks: true })).match(/\d+(?=m)/g));
  expect(looks.size).toBeGreaterThan(3);
  for (const code of looks)
    expect(["0", "1", "2", "3", "4", "9", "39", "49"].includes(code) || /^3[0-7]$/.test(code), code).toBe(
      true,
    );
  colored.press("C-d");
  // The alternate screen restores what was there before.
  await colored.see(`${PROGRAM} --continue`.slice(-30));
}, 120_000);

test("on 80 columns a question shows all possible answers", async () => {
  const screen = await seat.sit(SMALL);
  screen.type(`${COMMAND} run --agent upgrader upgrade`);
  screen.press("Enter");
  await screen.see("d no, because…  x stop:");
  await screen.pressUntil("x", "denied by");
}, 60_000);

test("the cursor and the ends of rows match the terminal's, even with emoji of several code points", async () => {
  const pictures = "漢👩\u200d💻👨\u200d👩\u200d👧🇩🇪👍🏽☝🏽1\ufe0f\u20e3❤\ufe0f한";
  const screen = await seat.sit(SMALL);
  // The shell's prompt must not move the cursor later.
  await screen.see("$");
  await screen.spoil(`${pictures}.`);
  // The terminal's own width of them, which may differ from Unicode's.
  await screen.see(".");
  const width = (await screen.column()) - 1;
  expect(width).toBeGreaterThan(12);
  screen.press("Enter");
  screen.type(`${COMMAND} --agent talker`);
  screen.press("Enter");
  await screen.see("? for keys");
  screen.paste(pictures);
  await screen.seeCursorAt(2 + width);
  screen.press("Home", "Right", "Right", "Right");
  await screen.seeCursorAt(2 + 6);
  screen.press("C-c");
  await screen.see("? for keys");
  for (let round = 0; round < 12; round++) screen.paste(pictures);
  screen.paste("end");
  const whole = await screen.see("end");
  // No row of the prompt was wrapped by the terminal itself.
  const [, prompt = ""] = /─{70,}\n([\s\S]*)\n─{70,}/.exec(whole) ?? [];
  for (const row of prompt.split("\n")) expect(row).toMatch(/^(?:› | {2})\S/u);
  screen.press("C-c", "C-d");
}, 120_000);

test("Escape interrupts and keeps the prompt; pressed twice it clears the prompt, and then offers to rewind", async () => {
  const screen = await seat.sit(SMALL);
  const escapeAlone = async () => {
    screen.press("Escape");
    // Longer than a double press, and than an Alt key sequence.
    await setTimeout(TWICE_MS);
  };
  screen.type(`${COMMAND} --agent talker`);
  screen.press("Enter");
  await screen.see("? for keys");
  screen.type("begin with the lexer");
  screen.press("Enter");
  await screen.see("I begin with the lexer. I begin");
  screen.type("half a thought");
  await screen.see("› half a thought");
  await escapeAlone();
  expect(await screen.see("(interrupted)")).toContain("› half a thought");

  await escapeAlone();
  screen.type("!");
  await screen.see("› half a thought!");
  screen.press("Escape", "Escape");
  await screen.see("? for keys");
  await escapeAlone();
  screen.type("x");
  expect(await screen.see("› x")).not.toContain("Go back to before");
  screen.press("BSpace");
  await screen.see("? for keys");
  screen.press("Escape", "Escape");
  await screen.see(/Go back to before[\s\S]*❯ begin with the lexer/);
  // Pressing it repeatedly to stop a turn loses nothing either.
  await escapeAlone();
  await screen.see("Go back to before", false);
  screen.type("/new");
  await screen.see("❯ /new");
  screen.press("Enter");
  await screen.see("/new", false);
  screen.type("again");
  screen.press("Enter");
  await screen.see(/› again[\s\S]*Esc interrupts/);
  screen.type("the other half");
  await screen.see("› the other half");
  screen.press("Escape", "Escape");
  await screen.see("Esc interrupts", false);
  expect(await screen.text()).toContain("› the other half");
  screen.press("C-c", "C-d");
  await screen.see("The session is kept");
}, 120_000);
