import { COMMON_OPTIONS, type Command, type Option } from "./command.ts";
import { REMOTE_OPTIONS } from "./location-options.ts";
import { commandName, optionsOf } from "./parse.ts";

/** The `--help` text of a command or of the program itself. */
export function helpOf(path: readonly Command[]): string {
  const command = path.at(-1);
  if (!command) return "";
  const { summary, details, subcommands = [], examples = [], args = "", run } = command;
  const name = commandName(path);
  const isOwn = (option: Option) => ![...COMMON_OPTIONS, ...REMOTE_OPTIONS].includes(option);
  const own = optionsOf(path).filter(isOwn);
  const forms = [
    ...(run ? [`${name}${args === "" ? "" : ` ${args}`}${own.length > 0 ? " [options]" : ""}`] : []),
    ...(subcommands.length > 0 ? [`${name} COMMAND`] : []),
  ];
  return [
    `${sentence(summary)}\n`,
    section("Usage", forms),
    ...(details === undefined ? [] : [`${details}\n`]),
    section(
      "Commands",
      columns(subcommands.map((sub) => [[sub.name, sub.args].filter(Boolean).join(" "), sub.summary])),
    ),
    section(
      "Options",
      columns([...own, ...COMMON_OPTIONS].map((option) => [optionForm(option), optionSummary(option)])),
    ),
    // These apply to every command, so only the top-level help lists them.
    path.length > 1
      ? ""
      : section(
          "With --address",
          columns(REMOTE_OPTIONS.map((option) => [optionForm(option), optionSummary(option)])),
        ),
    section("Examples", examples),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function optionForm({ name, short, value, optional }: Option): string {
  const given = value === undefined ? "" : optional ? ` [${value}]` : ` ${value}`;
  return `${short === undefined ? "" : `-${short}, `}--${name}${given}`;
}

const optionSummary = ({ summary, choices }: Option) =>
  choices === undefined ? summary : `${summary}: ${choices.join(", ")}`;

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? "" : `${title}:\n${lines.map((line) => `  ${line}\n`).join("")}`;

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(32, Math.max(0, ...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) =>
    left.length > width ? `${left}\n  ${" ".repeat(width)}  ${right}` : `${left.padEnd(width)}  ${right}`,
  );
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
