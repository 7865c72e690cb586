import { readFileSync, writeFileSync } from "node:fs";
import { AGENTS, versionOf } from "./agents.mjs";

const GUIDE = new URL("../../docs/guides/editors.md", import.meta.url);
const [BEGIN, END] = ["<!-- npm run soak:acp writes this table -->\n", "<!-- the end of the table -->\n"];
const HEAD = [
  "agent",
  "start",
  "tool with a question",
  "cancel",
  "next turn",
  "after a restart",
  "after a crash",
  "in the console",
  "score",
];

/** The steps of a conversation, in the order of the table's columns. */
export const STEPS = ["start", "tool", "cancel", "next", "resume", "crash", "console"];

/** Updates the guide's table: replaces the rows of these agents and keeps those of the others. */
export function writeTable(outcomes) {
  const guide = readFileSync(GUIDE, "utf8");
  const [from, to] = [guide.indexOf(BEGIN), guide.indexOf(END)];
  if (from < 0 || to < from) throw new Error("docs/guides/editors.md has lost the marks of its table");
  const before = guide.slice(from + BEGIN.length, to).split("\n");
  const rows = Object.entries(AGENTS).map(([name, { title }]) => {
    const outcome = outcomes[name];
    return outcome ? rowOf(name, outcome) : before.find((line) => line.startsWith(`| ${title}, `));
  });
  const lines = [HEAD, HEAD.map(() => "---")].map(cells).concat(rows.filter((row) => row !== undefined));
  const table = lines.map((line) => `${line}\n`).join("");
  writeFileSync(GUIDE, `${guide.slice(0, from)}${BEGIN}${table}${guide.slice(to)}`);
}

function rowOf(name, { said, score }) {
  const { title, package: source } = AGENTS[name];
  const yesOrNo = STEPS.map((step) => (said[step] === true ? "yes" : "no"));
  return cells([
    `${title}, \`${source}\` ${versionOf(name)}`,
    ...yesOrNo,
    `${score.match} of ${score.total}`,
  ]);
}

const cells = (texts) => `| ${texts.join(" | ")} |`;
