import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const CLI = fileURLToPath(new URL("../packages/cli/src/", import.meta.url));
/** A folder from which the packages that the sources import can be resolved. */
const MODULES = fileURLToPath(new URL("../node_modules/", import.meta.url));

/** The manual page of `agentwire`, from the same table of commands as its help and completion. */
export async function manPage() {
  const { PROGRAM, VERSION } = await loadTable();
  return `${[
    `.TH AGENTWIRE 1 "" "agentwire ${VERSION}" "User Commands"`,
    ".SH NAME",
    `agentwire \\- ${escaped(PROGRAM.summary)}`,
    ".SH SYNOPSIS",
    ".B agentwire",
    "[\\fIoptions\\fR]",
    ".br",
    ".B agentwire",
    "\\fICOMMAND\\fR [\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    ...paragraphs(PROGRAM.details),
    ".SH OPTIONS",
    ...PROGRAM.options.flatMap(option),
    ".SH COMMANDS",
    ...PROGRAM.subcommands.flatMap((command) => section(command, "agentwire")),
    ".SH EXAMPLES",
    ...example(PROGRAM.examples),
    ".SH FILES",
    ".TP",
    "\\fI~/.local/state/agentwire\\fR",
    "The daemon's folder, with its socket, store, settings and log. AGENTWIRE_HOME sets a different one.",
    ".TP",
    "\\fI~/.claude\\fR",
    "Settings and sessions of agents, in the same layout as Claude Code.",
    ".SH SEE ALSO",
    "agentwire\\-agent \\-\\-help",
  ].join("\n")}\n`;
}

/** Loads the table from the sources, because the build bundles it into a program. */
async function loadTable() {
  const folder = mkdtempSync(join(MODULES, ".agentwire-man-"));
  const outfile = join(folder, "table.mjs");
  try {
    await build({
      stdin: {
        contents: 'export { PROGRAM } from "./commands/program.ts"; export { VERSION } from "./version.ts";',
        resolveDir: CLI,
      },
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      outfile,
      logLevel: "error",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function section(command, prefix) {
  const name = `${prefix} ${command.name}`;
  const { summary, args = "", details, options = [], examples = [], subcommands = [], run } = command;
  return [
    `.SS ${quoted(args === "" ? name : `${name} ${args}`)}`,
    escaped(sentence(summary)),
    ...(details === undefined ? [] : [".PP", ...paragraphs(details)]),
    ...(run ? options.flatMap(option) : []),
    ...example(examples),
    ...subcommands.flatMap((sub) => section(sub, name)),
  ];
}

function option({ name, short, value, optional, summary, choices }) {
  const given =
    value === undefined ? "" : optional ? ` [\\fI${escaped(value)}\\fR]` : ` \\fI${escaped(value)}\\fR`;
  const forms = `${short === undefined ? "" : `\\fB\\-${short}\\fR, `}\\fB\\-\\-${escaped(name)}\\fR${given}`;
  return [".TP", forms, escaped(choices === undefined ? summary : `${summary}: ${choices.join(", ")}`)];
}

function example(lines) {
  return lines.length === 0 ? [] : [".PP", ".nf", ...lines.map(escaped), ".fi"];
}

const paragraphs = (text = "") => text.split("\n").map(escaped);
const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
const quoted = (text) => `"${escaped(text).replaceAll('"', "\\(dq")}"`;

/** A line of text, escaped for roff. */
function escaped(text) {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/, "\\&$1");
}
