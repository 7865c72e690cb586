import { cells, HEADS, number } from "./cells.mjs";
import { tally } from "./table.mjs";

/** The page of all figures. */
export function page({ date, machine, figures }) {
  const { cores, memory_gb, platform, node, official_cli, official_sdk } = machine;
  return `# Benchmarks

Written by \`npm run bench -- --write\`; \`npm run bench -- agent Bash\` measures the figures whose names contain these words.

- ${date.slice(0, 10)}, ${cores} cores, ${memory_gb} GB of memory, ${platform}, Node ${node}
- official CLI ${official_cli}, official TypeScript SDK ${official_sdk}

Each figure is a median with its spread [least–most].

- With a reference, both were measured in the same run, alternately, so that other load on the machine affected both. The target is for the ratio.
- Without a reference, the target is for the value, and the ratio is that of the value to the target.

Agents talk to a scripted API that answers at once, with only the loopback interface.

${markdownTable(HEADS, figures.map(cells))}
${tally(figures)}.
`;
}

/** The figures at the top of README, with the arguments with which `npm run bench` measures them. */
const HEADLINES = [
  ["our agent: from spawn to first result", "agent spawn"],
  ["our agent: memory after 1 turn / 50 turns", "agent memory after"],
  ["our agent: a turn, without the model's time", "agent beyond"],
  ["our agent: a Bash call", "agent Bash"],
  ["our agent: `stream_event` lines written", "agent stream_event"],
  ["`query()` of 200,000 `stream_event` lines", "host official 200,000"],
  ["`query()` of 200 lines of 1 MB", "host official MB"],
  ["decoding: 200,000 `stream_event` lines / lines of 1 MB", "protocol decode"],
  ["daemon: lines received, stored and sent to 1 client / 10 clients", "daemon through log"],
  ["daemon: replay of stored events", "daemon replay"],
  ["daemon: recovery after SIGKILL with 1,000 sessions", "daemon recovery"],
  ["daemon: first word of a warm session", "daemon warm"],
  ["console: compressed script of the first load", "console script"],
];

/** The measured figures at the top of README, each with the command that reproduces it. */
export function headlines({ date, machine: { cores, node, official_cli, official_sdk }, figures }) {
  const rows = HEADLINES.flatMap(([title, words]) => {
    const isNamed = ({ name }) => words.split(" ").every((word) => name.includes(word));
    const all = figures.filter((figure) => isNamed(figure) && figure.missing === undefined);
    // A row has a single reference, so figures with another one are left out.
    const named = all.filter(({ against }) => against === all[0].against);
    return named.length > 0 ? [headline(title, words, named)] : [];
  });
  return `${markdownTable(["", "agentwire", "reference", "ratio", "measured by"], rows)}
Medians of one run: ${date.slice(0, 10)}, ${cores} cores, Node ${node}, official CLI ${official_cli} and SDK ${official_sdk}
([all figures](docs/benchmarks.md)).`;
}

/** One row for all figures of a headline. */
function headline(title, words, named) {
  const all = (show) => named.map(show).join(" / ");
  const { unit, against, better, target } = named[0];
  const reference = against
    ? `${against}: ${all(({ reference: { median } }) => number(median))} ${unit}`
    : `target ${better === "more" ? "≥" : "≤"} ${number(target)} ${unit}`;
  return [
    title,
    `${all(({ ours }) => number(ours.median))} ${unit}`,
    reference,
    against ? all(({ ratio }) => `${ratio.toFixed(2)}×`) : "",
    `\`npm run bench -- ${words}\``,
  ];
}

const markdownTable = (heads, rows) =>
  [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |\n`).join("");
