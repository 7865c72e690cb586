import { resolve } from "node:path";
import { isFolder } from "@agentwire/local/files";
import { readPlugin } from "../context/plugins.ts";
import { type Command, choose, readOptions } from "./command.ts";
import { refused } from "./refused.ts";

const USAGE = `agentwire-agent plugin list [--json]       list the installed plugins
agentwire-agent plugin validate FOLDER     report the problems of a plugin
`;

/** `plugin list`: always empty, because plugins are not installed but given on each command line. */
const list: Command = ({ args, print }) => {
  const { values } = readOptions(args, { json: { type: "boolean" } });
  print(values.json ? "[]\n" : "No plugins installed. Use --plugin-dir FOLDER to load one for a session.\n");
  return 0;
};

/** `plugin validate`: reads a plugin as a session would; exit code 1 if it has problems. */
const validate: Command = async ({ config, args, print, complain }) => {
  const { positionals } = readOptions(args, {});
  const [given] = positionals;
  if (given === undefined) {
    complain(`agentwire-agent plugin validate: the folder is missing\n${USAGE}`);
    return 1;
  }
  const path = resolve(config.cwd, given);
  if (!isFolder(path)) {
    complain(`${path}: no such folder\n✘ Validation failed\n`);
    return 1;
  }
  const { name, version, problems } = await readPlugin({ path, withServers: true });
  for (const problem of problems) complain(`${path}: ${problem}\n`);
  if (problems.length > 0) {
    complain("✘ Validation failed\n");
    return 1;
  }
  print(`${name}${version === undefined ? "" : ` ${version}`}\n✔ Validation passed\n`);
  return 0;
};

const INSTEAD = "plugins are not installed; pass their folders with --plugin-dir";
const NOT_HERE =
  "configure details disable enable eval init new install i marketplace prune autoremove tag test";

/** `plugin`. */
export const plugin = choose(
  "plugin",
  new Map<string, Command>([
    ...`${NOT_HERE} uninstall remove update restore-set-aside`
      .split(" ")
      .map((name) => [name, refused(`plugin ${name}`, INSTEAD)] as const),
    ["list", list],
    ["validate", validate],
  ]),
  USAGE,
);
