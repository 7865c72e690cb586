import { type Event, SessionSchema, SessionStatus } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { called, delta, Events, prompted, result, said } from "../../../view/test/timeline/events.ts";
import { applyNews, takeFinished } from "../../src/screen/model/apply-news.ts";
import type { Effect } from "../../src/screen/model/effects.ts";
import { paste, press } from "../../src/screen/model/press.ts";
import { pressAlone } from "../../src/screen/model/press-answer.ts";
import { newScreen, type ScreenState, withEntries, withSession } from "../../src/screen/model/state.ts";
import { paintFrame } from "../../src/screen/paint/frame.ts";
import { itemRows } from "../../src/screen/paint/item-rows.ts";
import { printRow } from "../../src/screen/paint/span.ts";
import type { Key } from "../../src/terminal/line-editor.ts";
import { widthOf } from "../../src/terminal/width.ts";

const SIZE = { columns: 60, rows: 20 };
const PLAIN = { columns: 59, isExpanded: false, cwd: "/p" };

const empty = (): ScreenState =>
  newScreen({ cwd: "/p", home: "/home", model: "", mode: "", history: ["first", "second"] });
const open = (): ScreenState => withSession(empty(), create(SessionSchema, { id: "s", cwd: "/p" }));

const told = (state: ScreenState, events: readonly Event[], nowMs = 0) =>
  applyNews(state, { type: "events", events }, nowMs);
const textOf = (state: ScreenState, nowMs = 0) =>
  paintFrame(state, SIZE, nowMs)
    .rows.map((row) => printRow(row, false))
    .join("\n");

const named = (name: string, more: Partial<Key> = {}): Key => ({ name, sequence: "", ...more });
const letters = (text: string): Key[] => [...text].map((char) => ({ name: char, sequence: char }));

/** The screen after some keys, pressed a second apart, and all effects they caused. */
function typed(state: ScreenState, keys: readonly Key[], fromMs = 1000) {
  const effects: Effect[] = [];
  const end = keys.reduce((now, key, index) => {
    const pressed = press(now, key, fromMs + index * 1000);
    const alone = pressAlone(pressed.state);
    effects.push(...pressed.effects, ...alone.effects);
    return alone.state;
  }, state);
  return { state: end, effects };
}

/** The same with keys pressed in quick succession, as when typing a word. */
function fast(state: ScreenState, keys: readonly Key[], fromMs = 1000) {
  const effects: Effect[] = [];
  const end = keys.reduce((now, key, index) => {
    const pressed = press(now, key, fromMs + index * 20);
    effects.push(...pressed.effects);
    return pressed.state;
  }, state);
  return { state: end, effects };
}

describe("finished output", () => {
  test("leaves the live part block by block, each once", () => {
    const events = new Events();
    const whole = "# Title\n\nOne paragraph.\n\n```ts\nconst a = 1;\n```\n\nThe end.";
    let state = open();
    let kept = "";
    for (let at = 0; at < whole.length; at += 7) {
      const taken = takeFinished(told(state, [events.next(delta("m", 0, whole.slice(at, at + 7)))]));
      state = taken.state;
      for (const item of taken.items) kept += item.kind === "said" ? item.text : "";
    }
    expect(kept).toBe("# Title\n\nOne paragraph.\n\n");
    const last = takeFinished(told(state, [events.next(said("m", whole), { from: 1 })]));
    expect(last.items).toMatchObject([{ kind: "said", text: "```ts\nconst a = 1;\n```\n\nThe end." }]);
    expect(last.state.items).toEqual([]);
  });

  test("leaves the live part in pieces even within an endless code block, which stays code", () => {
    const events = new Events();
    let state = open();
    const rows: string[] = [];
    const line = "const value = compute(another, value);\n";
    for (let round = 0; round < 40; round++) {
      const text = round === 0 ? `\`\`\`ts\n${line}` : line.repeat(20);
      const taken = takeFinished(told(state, [events.next(delta("m", 0, text))]));
      state = taken.state;
      for (const item of taken.items) rows.push(...itemRows(item, PLAIN).map((row) => printRow(row, false)));
    }
    expect(rows.length).toBeGreaterThan(500);
    expect(new Set(rows)).toEqual(new Set([`  ${line.trim()}`]));
  });

  test("includes every ended call, in order, and nothing from inside a call that has left", () => {
    const events = new Events();
    const first = takeFinished(
      told(open(), [events.next(called("a")), events.next(called("b")), events.next(result("b"))]),
    );
    expect(first.items).toEqual([]);
    const second = takeFinished(told(first.state, [events.next(result("a"))]));
    expect(second.items).toMatchObject([{ toolUseId: "a" }, { toolUseId: "b" }]);
    const late = takeFinished(told(second.state, [events.next(said("m2", "late"), { parent: "a" })]));
    expect(late.items.flatMap((item) => itemRows(item, PLAIN))).toEqual([]);
    expect(late.state.items).toEqual([]);
  });
});

describe("the prompt", () => {
  test("sends with Enter, and breaks lines with Alt-Enter, Ctrl-J and a backslash", () => {
    const keys = [
      ...letters("one"),
      named("return", { meta: true }),
      ...letters("two\\"),
      named("return"),
      // Ctrl-J, as Node reports it.
      named("enter", { sequence: "\n" }),
      ...letters("three"),
      named("return"),
    ];
    const { state, effects } = typed(open(), keys);
    expect(effects).toEqual([{ type: "send", text: "one\ntwo\n\nthree", pictures: [] }]);
    expect(state.editor.text).toBe("");
    expect(state.history.at(-1)).toBe("one\ntwo\n\nthree");
  });

  test("recalls earlier prompts with the arrow keys, and returns to an empty one", () => {
    const up = typed(empty(), [named("up"), named("up"), named("up")]);
    expect(up.state.editor.text).toBe("first");
    expect(typed(up.state, [named("down"), named("down")]).state.editor.text).toBe("");
    const search = typed(empty(), [named("r", { ctrl: true }), ...letters("sec"), named("return")]);
    expect(search.state.editor.text).toBe("second");
  });

  test("is never sent by a paste", () => {
    const state = paste(open(), "a\r\nb\r");
    expect(state.editor.text).toBe("a\nb\n");
  });

  test("treats a letter with combining marks, or an emoji of several code points, as one character", () => {
    const text = "é👨‍👩‍👧";
    const state = { ...open(), editor: { text, at: text.length } };
    const gone = typed(state, [named("backspace")]).state.editor.text;
    expect(gone).toBe("é");
    expect(
      typed({ ...state, editor: { text: gone, at: gone.length } }, [named("backspace")]).state.editor.text,
    ).toBe("");
  });

  test("sends an unknown command only after a note, and a mention of no file at once", () => {
    const noted = typed(open(), [...letters("/xyzzy"), named("return")]);
    expect(noted.effects.filter(({ type }) => type === "send")).toEqual([]);
    expect(noted.state.note?.text).toBe("no command /xyzzy; Enter again sends it as a prompt");
    expect(typed(noted.state, [named("return")]).effects).toEqual([
      { type: "send", text: "/xyzzy", pictures: [] },
    ]);
    const unsure = typed(open(), [...letters("ask @bob"), named("return")]);
    expect(unsure.effects.filter(({ type }) => type === "send")).toEqual([]);
    const files = withEntries(typed(open(), letters("ask @bob")).state, "files", [], "bob");
    const sent = typed(files, [named("return")]);
    expect(sent.effects).toEqual([{ type: "send", text: "ask @bob", pictures: [] }]);
    expect(sent.state.picker).toBeUndefined();
  });

  test("offers commands after a slash and files after an at sign", () => {
    const commands = typed(open(), letters("/mod"));
    expect(textOf(commands.state)).toContain("❯ /model");
    const model = typed(commands.state, [named("return")]);
    expect(model.effects).toEqual([{ type: "list", kind: "models" }]);
    const files = typed(open(), letters("see @pri"));
    expect(files.effects).toEqual(["", "p", "pr", "pri"].map(() => ({ type: "find" })));
    const picker = files.state.picker;
    if (!picker) throw new Error("no list");
    const entries = ["README.md", "src/price.ts"].map((path) => ({ label: path, detail: "", value: path }));
    const chosen = typed({ ...files.state, picker: { ...picker, entries } }, [named("return")]);
    expect(chosen.state.editor.text).toBe("see @src/price.ts ");
    // The daemon's results for these letters are shown as they are, and narrowed down until new ones arrive.
    const found = withEntries(files.state, "files", entries, "pri");
    expect(textOf(found)).toContain("❯ README.md");
    expect(textOf(typed(found, letters("c")).state)).toContain("❯ src/price.ts");
  });

  test("rewinds with Escape twice, even if both arrive together, and forgets rewound prompts", () => {
    const events = new Events();
    const state = told(open(), [events.next(prompted("a")), events.next(prompted("b"))]);
    // As Node reports them: one key for two that arrive together, and Alt even for a single one.
    const esc = named("escape", { sequence: "\x1b", meta: true });
    expect(press(state, esc, 1000).state.picker).toBeUndefined();
    expect(press(paste(state, "abc"), esc, 1000).state.editor.text).toBe("abc");
    const twice = press(press(state, esc, 1000).state, esc, 1300).state;
    expect(twice.picker?.entries?.map(({ value }) => value)).toEqual(["b", "a"]);
    expect(press(state, named("escape", { sequence: "\x1b\x1b", meta: true }), 1000).state.picker?.kind).toBe(
      "rewind",
    );
    expect(typed(twice, [named("return")]).effects).toEqual([{ type: "rewind", promptId: "b" }]);
    expect(press(press(paste(state, "abc"), esc, 1000).state, esc, 1300).state.editor.text).toBe("");
    // While a turn runs Escape only interrupts, however often it is pressed.
    const working = told(paste(state, "abc"), [
      events.next({ case: "statusChange", value: { status: SessionStatus.RUNNING } }),
    ]);
    for (const keys of [[esc, esc, esc], [named("escape", { sequence: "\x1b\x1b", meta: true })]]) {
      const { state: after, effects } = fast(working, keys);
      expect(after.editor.text).toBe("abc");
      expect(new Set(effects.map(({ type }) => type))).toEqual(new Set(["interrupt"]));
    }
    const back = events.next({ case: "conversationRewind", value: { promptIds: ["b"], fromSeq: 2n } });
    expect(told(state, [back]).prompts.map(({ id }) => id)).toEqual(["a"]);
  });

  test("runs the screen's own commands, by all their names and with arguments", () => {
    const sent = (text: string) => typed(paste(open(), text), [named("return")]);
    expect(sent("/quit").effects).toEqual([{ type: "leave" }]);
    expect(sent("/exit").effects).toEqual([{ type: "leave" }]);
    expect(textOf(typed(open(), letters("/res")).state)).toContain("❯ /sessions");
    expect(sent("/model opus").effects).toEqual([{ type: "model", model: "opus" }]);
    expect(sent("/mode plan").effects).toEqual([{ type: "mode", mode: "plan" }]);
    for (const [text, note] of [
      ["/mode planned", "unknown mode planned"],
      ["/mode plan please", "unknown mode plan please"],
      ["/model opus or sonnet", "opus or sonnet is not a model"],
    ] as const) {
      const { state, effects } = sent(text);
      expect(effects).toEqual([]);
      expect(textOf(state, 1000)).toContain(note);
      expect(state.editor.text).toBe(text);
    }
    // Any other command goes to the agent.
    expect(sent("/compact the tests").effects).toMatchObject([{ type: "send", text: "/compact the tests" }]);
    expect(sent("/quit smoking").effects).toMatchObject([{ type: "send" }]);
  });

  test("changes the mode with Shift-Tab, and exits when Ctrl-C is pressed twice", () => {
    const { state, effects } = typed(open(), [named("tab", { shift: true }), named("tab", { shift: true })]);
    expect(effects).toEqual([
      { type: "mode", mode: "acceptEdits" },
      { type: "mode", mode: "plan" },
    ]);
    expect(textOf(state)).toContain("plan mode");
    const c = named("c", { ctrl: true });
    expect(typed(open(), [...letters("x"), c, c, c]).effects).toEqual([{ type: "leave" }]);
  });
});

describe("a question", () => {
  const events = new Events();
  const question = (input: unknown, toolName = "Bash") => ({
    id: "q",
    toolUseId: "a",
    toolName,
    inputJson: JSON.stringify(input),
  });
  const asking = (state: ScreenState, input: unknown, toolName?: string) =>
    told(
      state,
      [events.next({ case: "permissionAsked", value: { question: question(input, toolName) } })],
      0,
    );
  const key = (char: string) => letters(char);

  test("shows the whole command, and is answered by a key, but not in its first moment", () => {
    const state = asking(open(), { command: "rm -rf build && make" });
    expect(textOf(state)).toContain("$ rm -rf build && make");
    const [top = "", bottom = ""] = textOf(state)
      .split("\n")
      .filter((row) => /^[╭╰]/u.test(row));
    expect([widthOf(top), widthOf(bottom)]).toEqual([59, 59]);
    expect(typed(state, key("y"), 100).effects).toEqual([]);
    expect(typed(state, key("y")).effects).toMatchObject([
      { type: "decide", questionId: "q", decision: { case: "allow" } },
    ]);
  });

  test("is not answered by a sentence, whatever its first letter: that becomes a prompt, and the question waits", () => {
    const state = asking(open(), { command: "ls" });
    for (const words of ["yes, but why", "any other way?", "stop that", "no idea", "why? y", "Yes", "/mod"]) {
      const { state: written, effects } = fast(state, letters(words));
      expect([written.editor.text, ...effects.filter(({ type }) => type !== "list")]).toEqual([words]);
      expect(written.answering).toMatchObject({ hasFocus: false, form: "keys" });
    }
    // When the prompt is empty again, the question is asked again, but ignores the keys that follow at once.
    const backspaces = Array.from({ length: 3 }, () => named("backspace"));
    const { state: emptied } = fast(fast(state, letters("yes")).state, backspaces);
    expect(emptied.answering?.hasFocus).toBe(true);
    expect(fast(emptied, letters("y")).state.answering?.pressed).toBe("");
    const sent = fast(fast(state, letters("yes, but why")).state, [named("return"), ...letters("y")]);
    expect(sent.effects).toMatchObject([{ type: "send", text: "yes, but why" }]);
    expect(typed(sent.state, key("y"), 9000).effects).toMatchObject([{ type: "decide" }]);
  });

  test("is answered by a single letter after a pause or with Enter; Escape withdraws the letter", () => {
    const state = asking(open(), { command: "ls" });
    const pressed = fast(state, key("y"));
    expect(pressed.effects).toEqual([]);
    expect(pressAlone(pressed.state).effects).toMatchObject([{ decision: { case: "allow" } }]);
    expect(fast(pressed.state, [named("return")]).effects).toMatchObject([{ decision: { case: "allow" } }]);
    for (const name of ["escape", "backspace", "pagedown"]) {
      const back = fast(pressed.state, [named(name)]);
      expect(back.effects).toEqual([]);
      expect(pressAlone(back.state).effects).toEqual([]);
      expect(back.state.answering?.hasFocus).toBe(true);
    }
    for (const one of [named("tab"), named("c", { ctrl: true }), named("g", { ctrl: true })])
      expect(pressAlone(fast(pressed.state, [one]).state).effects).toEqual([]);
  });

  test("is not answered by a paste", () => {
    const state = asking(open(), { command: "ls" });
    const pasted = paste(fast(state, key("y")).state, "es\ny");
    expect(pasted.editor.text).toBe("yes\ny");
    expect(fast(pasted, key("y")).state.editor.text).toBe("yes\nyy");
    expect(pressAlone(pasted).effects).toEqual([]);
  });

  test("lets the rule be edited before it is saved", () => {
    const state = asking(open(), { command: "npm test" });
    const form = typed(state, key("a"));
    expect(textOf(form.state)).toContain("Always allow in this project: Bash(npm test *)");
    const { effects } = typed(form.state, [
      named("backspace"),
      named("backspace"),
      named("backspace"),
      ...letters(":*)"),
      named("return"),
    ]);
    expect(effects).toMatchObject([
      {
        decision: {
          case: "allow",
          value: { lasting: { case: "always", value: { rule: "Bash(npm test:*)", scope: "project" } } },
        },
      },
    ]);
  });

  test("runs the edited command", () => {
    const { effects } = typed(asking(open(), { command: "ls", timeout: 5 }), [
      ...key("e"),
      ...letters(" -l"),
      named("return"),
    ]);
    expect(effects).toMatchObject([
      { decision: { value: { updatedInputJson: '{"command":"ls -l","timeout":5}' } } },
    ]);
  });

  test("about a plan offers how the session continues, or takes a reason to plan again", () => {
    const state = asking(open(), { plan: "1. Look" }, "ExitPlanMode");
    expect(textOf(state)).toContain("a carry it out and accept edits");
    const accepted = typed(state, key("a"));
    expect(accepted.effects).toMatchObject([
      { type: "mode", mode: "acceptEdits" },
      { type: "decide", decision: { case: "allow" } },
      { type: "mode", mode: "acceptEdits" },
    ]);
    expect(typed(state, key("y")).effects[2]).toEqual({ type: "mode", mode: "default" });
    // An earlier report of the agent's mode no longer counts.
    expect(textOf(told(accepted.state, [events.next(delta("m", 0, "So"))]))).toContain("acceptEdits mode");
    const again = typed(state, [...key("n"), ...letters("no tests"), named("return")]);
    expect(again.effects).toMatchObject([
      { decision: { case: "deny", value: { message: "no tests", stop: false } } },
    ]);
  });

  test("does not take the keys of a user who is typing until they press Tab", () => {
    const state = asking(typed(open(), letters("ye")).state, { command: "ls" });
    const { state: still, effects } = typed(state, key("y"));
    expect([effects, still.editor.text]).toEqual([[], "yey"]);
    expect(typed(still, [named("tab"), ...key("n")]).effects).toMatchObject([{ decision: { case: "deny" } }]);
  });

  test("waits while a list is open, which keeps the keys, and receives them when the list is closed", () => {
    const listed = typed(open(), [named("r", { ctrl: true })]).state;
    const state = asking(listed, { command: "ls" });
    expect(textOf(state)).toContain("Bash is waiting for your answer: close the list first");
    expect(textOf(state)).toContain("❯ second");
    const narrowed = typed(state, letters("fir"));
    expect(narrowed.effects).toEqual([]);
    expect(textOf(narrowed.state)).toContain("❯ first");
    const closed = press(narrowed.state, named("escape"), 9000).state;
    expect(textOf(closed)).toContain("$ ls");
    // But not the keys that follow at once, which were meant for the list.
    expect(typed(closed, key("y"), 9100).effects).toEqual([]);
    expect(typed(closed, key("y"), 9500).effects).toMatchObject([{ type: "decide" }]);
  });

  test("shows a change line by line, and the rest by scrolling", () => {
    const content = Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n");
    const state = asking(open(), { file_path: "/p/new.txt", content }, "Write");
    expect(textOf(state)).toContain("+ line 0");
    expect(textOf(state)).not.toContain("+ line 39");
    const end = typed(
      state,
      Array.from({ length: 9 }, () => named("pagedown")),
    ).state;
    expect(textOf(end)).toContain("+ line 39");
  });

  test("of the agent to its user offers options, several if allowed, and free text", () => {
    const userQuestions = [
      {
        question: "Which?",
        header: "",
        multiSelect: false,
        options: [{ label: "red", description: "warm" }, { label: "blue" }],
      },
      { question: "And?", header: "", multiSelect: true, options: [{ label: "a" }, { label: "b" }] },
    ];
    const state = told(open(), [
      events.next({ case: "questionAsked", value: { question: { ...question({}), userQuestions } } }),
    ]);
    expect(textOf(state)).toContain("1. red – warm");
    const first = typed(state, [named("down"), named("return")]);
    const { effects } = typed(first.state, [...key("1"), ...key("3"), ...letters("c"), named("return")]);
    expect(effects).toEqual([
      { type: "answer", questionId: "q", answers: { "Which?": "blue", "And?": "a, c" } },
    ]);
    // A number answers like a letter; a sentence is free text.
    expect(fast(state, key("2")).state.answering).toMatchObject({ index: 0, pressed: "2", marked: 1 });
    expect(typed(state, key("2")).state.answering).toMatchObject({ index: 1 });
    for (const words of ["2 of them", "neither 1 nor 2"])
      expect(textOf(fast(state, letters(words)).state)).toContain(`In your own words: ${words}`);
    expect(textOf(paste(state, "1\n2"))).toContain("In your own words: 1 2");
  });

  test("that is a form shows who asks, limits some fields to options, and lets optional ones be skipped", () => {
    const field = { header: "", multiSelect: false };
    const userQuestions = [
      { ...field, question: "Port?", initial: "80", format: "integer" },
      { ...field, question: "Sure?", options: [{ label: "Yes" }, { label: "No" }], onlyOptions: true },
      { ...field, question: "Kind?", options: [{ label: "a" }], onlyOptions: true, optional: true },
      { ...field, question: "Notes?", optional: true },
    ];
    const elicitation = { server: "deployer", message: "Where to?" };
    const value = { question: { ...question({}), userQuestions, elicitation } };
    const state = told(open(), [events.next({ case: "questionAsked", value })]);
    expect(textOf(state)).toContain("deployer asks you: Where to?");
    const port = typed(state, [named("return"), ...letters("81"), named("return")]);
    expect(textOf(port.state)).not.toContain("something else");
    const sure = typed(port.state, [...key("3"), ...key("1")]);
    expect(textOf(sure.state)).toContain("2. no answer");
    expect(fast(port.state, letters("1 or 2")).state).toMatchObject({ editor: { text: "1 or 2" } });
    const { state: last, effects } = typed(sure.state, [...key("2"), named("return"), named("return")]);
    const answers = { "Port?": "8081", "Sure?": "Yes", "Kind?": "", "Notes?": "" };
    expect(effects).toEqual([{ type: "answer", questionId: "q", answers }]);
    // A form that the daemon refuses starts again from its first field.
    expect(textOf(last)).toContain("Port?");
  });
});

test("every row fits the screen, whatever its content", () => {
  const events = new Events();
  const text = `${"漢字".repeat(60)} 👩‍💻 ${"x".repeat(200)}\n\n| a | b |\n| --- | --- |\n| ${"long ".repeat(40)} | 漢字 |\n\n> quote ${"words ".repeat(30)}\n\n- item ${"words ".repeat(30)}`;
  const state = told(open(), [
    events.next({ case: "statusChange", value: { status: SessionStatus.RUNNING } }),
    events.next(called("a", "Bash", { command: "echo ".repeat(100) })),
    events.next(delta("m", 1, text)),
  ]);
  for (const columns of [20, 24, 60, 200]) {
    const { rows } = paintFrame(
      { ...state, editor: { text: "漢".repeat(300), at: 5 } },
      { columns, rows: 24 },
      0,
    );
    expect(rows.length).toBeLessThanOrEqual(23);
    for (const row of rows) expect(widthOf(printRow(row, false))).toBeLessThan(Math.max(21, columns));
  }
});

test("a rule being edited is visible on the narrowest screen", () => {
  const events = new Events();
  const question = { id: "q", toolUseId: "a", toolName: "Bash", inputJson: '{"command":"npm test"}' };
  const asked = told(open(), [events.next({ case: "permissionAsked", value: { question } })]);
  const { state } = typed(asked, letters("a"));
  const { rows, cursor } = paintFrame(state, { columns: 20, rows: 24 }, 0);
  const seen = rows.map((row) => printRow(row, false));
  const at = seen.findIndex((row) => row.includes("Bash(npm"));
  expect(seen[at]).toContain("Bash(npm test *)");
  expect(cursor?.row).toBe(at);
});

test("text from outside contains no control characters", () => {
  const events = new Events();
  const evil = "\u001b]0;title\u0007\u001b[2Jx\u202e";
  const state = told(open(), [
    events.next(called("a", evil, { command: evil })),
    events.next(delta("m", 1, `${evil}\n\n\`${evil}\``)),
  ]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not appear.
  expect(textOf(state)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});
