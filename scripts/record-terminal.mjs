// Records the interactive screen in use as an animated SVG: node scripts/record-terminal.mjs writes docs/images/terminal.svg.
// The program, the daemon and the agent are real; a script plays the model. Needs tmux.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OUT = join(ROOT, "docs/images/terminal.svg");
const [COLUMNS, ROWS] = [88, 30];
const [CHAR, LINE, PAD] = [8.4, 18, 14];

/** The palette of the recording, by the terminal's color numbers. */
const COLORS = ["#3b4252", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d8dee9"];
const CLASSES = [
  ...COLORS.map((color, index) => `.c${index}{fill:${color}}`),
  ".b{font-weight:bold}.d{opacity:.6}.i{font-style:italic}.u{text-decoration:underline}.s{text-decoration:line-through}",
].join("");

const MARKS = new Map([
  ["1", "b"],
  ["2", "d"],
  ["3", "i"],
  ["4", "u"],
  ["9", "s"],
]);

const folder = mkdtempSync(join(tmpdir(), "agentwire-record-"));
const project = join(folder, "shop");
const state = join(folder, "state");
const socket = join(folder, "tmux");
const tmux = (...args) => execFileSync("tmux", ["-S", socket, ...args], { encoding: "utf8" });
const frames = [];

try {
  prepare();
  await record();
  writeFileSync(OUT, svg());
  console.log(`${OUT}: ${frames.length} frames`);
} finally {
  run(["daemon", "stop", "--now"]);
  try {
    tmux("kill-server");
  } catch {
    // It never started.
  }
  rmSync(folder, { recursive: true, force: true });
}

function environment() {
  return { PATH: process.env.PATH, HOME: folder, AGENTWIRE_HOME: state, TERM: "tmux-256color" };
}

function run(args) {
  const program = join(ROOT, "packages/cli/bin/agentwire");
  execFileSync(process.execPath, [program, ...args], { cwd: project, env: environment(), stdio: "ignore" });
}

function prepare() {
  mkdirSync(join(project, "src"), { recursive: true });
  mkdirSync(state, { mode: 0o700 });
  writeFileSync(
    join(project, "src/price.ts"),
    'export function price(cents: number): string {\n  return "$" + cents / 100;\n}\n',
  );
  const script = join(folder, "script.json");
  writeFileSync(script, readFileSync(join(ROOT, "scripts/record-terminal.json")));
  const agent = { path: join(ROOT, "packages/agent/bin/agentwire-agent"), env: { AGENTWIRE_SCRIPT: script } };
  writeFileSync(
    join(state, "settings.json"),
    JSON.stringify({ default_agent: "demo", agents: { demo: agent } }),
  );
  run(["daemon", "start"]);
}

/** Types as a person would, and keeps every screen that differs from the previous one. */
async function record() {
  const variables = Object.entries(environment()).map(([name, value]) => `${name}=${value}`);
  const program = `exec ${process.execPath} ${join(ROOT, "packages/cli/bin/agentwire")}`;
  const size = ["-x", String(COLUMNS), "-y", String(ROWS)];
  tmux(
    "-f",
    "/dev/null",
    "new-session",
    "-d",
    ...size,
    "-c",
    project,
    "env",
    "-i",
    ...variables,
    "sh",
    "-c",
    program,
  );
  await watch((text) => text.includes("? for keys"), 600);
  for (const char of "prices lose a digit: 510 cents are shown as $5.1") {
    tmux("send-keys", "-l", char);
    await watch(() => true, 45);
  }
  tmux("send-keys", "Enter");
  await watch((text) => text.includes("needs your permission"), 2600);
  tmux("send-keys", "y");
  await watch((text) => text.includes("? for keys") && text.includes("$5.00"), 3500);
}

/** Waits until the screen contains something, then this many milliseconds more. */
async function watch(isDone, afterMs) {
  const limit = Date.now() + 60_000;
  for (let seenAt; seenAt === undefined || Date.now() - seenAt < afterMs; await setTimeout(25)) {
    if (Date.now() > limit) throw new Error(`never seen:\n${tmux("capture-pane", "-p")}`);
    const screen = tmux("capture-pane", "-p", "-e");
    if (frames.at(-1)?.screen !== screen) frames.push({ screen, ms: Date.now() });
    if (seenAt === undefined && isDone(tmux("capture-pane", "-p"))) seenAt = Date.now();
  }
}

/** One group for each screen; a style sheet shows one after the other. Each distinct row is drawn once. */
function svg() {
  const [width, height] = [COLUMNS * CHAR + 2 * PAD, ROWS * LINE + 2 * PAD];
  const total = frames.at(-1).ms - frames[0].ms + 3000;
  const rows = new Map();
  const groups = frames.map(({ screen, ms }, index) => {
    const from = ((ms - frames[0].ms) / total) * 100;
    const until = index + 1 < frames.length ? ((frames[index + 1].ms - frames[0].ms) / total) * 100 : 100;
    // Text attributes persist from one row to the next.
    let looks = new Set();
    const uses = screen
      .split("\n")
      .slice(0, ROWS)
      .flatMap((line, row) => {
        const { text, looks: next } = spans(line, looks);
        looks = next;
        if (text === "") return [];
        if (!rows.has(text)) rows.set(text, rows.size);
        return [`<use href="#r${rows.get(text)}" y="${row * LINE}"/>`];
      });
    return { from, until, body: uses.join("") };
  });
  const keyframes = groups.map(
    ({ from, until }, index) =>
      `@keyframes f${index}{0%{visibility:hidden}${from.toFixed(3)}%{visibility:visible}${until.toFixed(3)}%{visibility:hidden}100%{visibility:${index + 1 === groups.length ? "visible" : "hidden"}}}`,
  );
  const shown = groups.map(
    ({ body }, index) =>
      `<g style="visibility:hidden;animation:f${index} ${total}ms step-end infinite">${body}</g>`,
  );
  const defs = [...rows].map(([text, id]) => `<text id="r${id}" x="0" y="${LINE - 5}">${text}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="agentwire in a terminal: a prompt, tool calls, a change that is approved with a key, the answer">
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d8dee9;white-space:pre}${CLASSES}${keyframes.join("")}</style>
<rect width="100%" height="100%" rx="8" fill="#20242c"/>
<defs>${defs.join("\n")}</defs>
<g transform="translate(${PAD} ${PAD})">${shown.join("\n")}</g>
</svg>
`;
}

/** A row of the screen with its text attributes; each piece is placed at its column, whatever the font. */
function spans(line, before) {
  let classes = before;
  let column = 0;
  let out = "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the looks.
  for (const [, codes, text] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
    if (codes !== undefined) classes = after(classes, codes);
    if (text === undefined) continue;
    const escaped = text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);
    const look = classes.size > 0 ? ` class="${[...classes].join(" ")}"` : "";
    if (text.trim() !== "")
      out += `<tspan x="${(column * CHAR).toFixed(1)}" textLength="${(text.length * CHAR).toFixed(1)}"${look}>${escaped}</tspan>`;
    column += text.length;
  }
  return { text: out, looks: classes };
}

function after(before, codes) {
  const classes = new Set(before);
  const dropColor = () => {
    for (const name of classes) if (name.startsWith("c")) classes.delete(name);
  };
  for (const code of codes.split(";")) {
    if (code === "" || code === "0") classes.clear();
    else if (MARKS.has(code)) classes.add(MARKS.get(code));
    else if (code === "22") for (const name of ["b", "d"]) classes.delete(name);
    else if (code === "39") dropColor();
    else if (/^3[0-7]$/.test(code)) {
      dropColor();
      classes.add(`c${code[1]}`);
    }
  }
  return classes;
}
