import { HELP } from "../config/help.ts";
import { type Command, readOptions } from "./command.ts";
import { refused } from "./refused.ts";

const BACKGROUND = "background sessions are run by the daemon; see agentwire --help";
const INSTALLED = "this agent is an npm package; update it with npm install -g @agentwire/agent";
const NO_ACCOUNT = "this agent has no account; set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN";

/** The official CLI's commands that this agent answers, loaded when they are called. */
const ANSWERED: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["auth", async () => (await import("./auth.ts")).auth],
  ["mcp", async () => (await import("./mcp.ts")).mcp],
  ["doctor", async () => (await import("./doctor.ts")).doctor],
  ["agents", async () => agents],
  ["plugin", async () => (await import("./plugin.ts")).plugin],
  ["plugins", async () => (await import("./plugin.ts")).plugin],
  ["trust", async () => (await import("./trust.ts")).trust],
  ["help", async () => help],
]);

/** The commands that it does not have, and what to do instead. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ["config", "settings are files: .claude/settings.json in the project, settings.json in ~/.claude"],
  ["update", INSTALLED],
  ["upgrade", INSTALLED],
  ["install", INSTALLED],
  ["migrate-installer", INSTALLED],
  ["setup-token", NO_ACCOUNT],
  ["login", NO_ACCOUNT],
  ["logout", NO_ACCOUNT],
  ["attach", BACKGROUND],
  ["logs", BACKGROUND],
  ["stop", BACKGROUND],
  ["kill", BACKGROUND],
  ["rm", BACKGROUND],
  ["respawn", BACKGROUND],
  ["daemon", "the daemon is a separate program; see agentwire daemon --help"],
  ["remote-control", "the daemon serves remote clients; see agentwire daemon --help"],
  ["rc", "the daemon serves remote clients; see agentwire daemon --help"],
  ["auto-mode", "the auto mode has no separate rules here; see --permission-mode"],
  ["gateway", "set ANTHROPIC_BASE_URL to use a gateway"],
  ["import", "copy the settings, commands and agents into .claude by hand"],
  ["purge", "a project's sessions are files in its folder in ~/.claude/projects; delete them there"],
  ["project", "a project's sessions are files in its folder in ~/.claude/projects; delete them there"],
  ["ultrareview", "it is a vendor service; ask for a review in a prompt"],
]);

/** The command with this name; undefined if the word is not a command but the start of a prompt. */
export function commandNamed(name: string): (() => Promise<Command>) | undefined {
  const instead = REFUSED.get(name);
  return instead === undefined ? ANSWERED.get(name) : async () => refused(name, instead);
}

/** `agents --json`: the background sessions of this program. There are none, because the daemon runs them. */
const agents: Command = ({ args, print, complain }) => {
  const { values } = readOptions(args, {
    json: { type: "boolean" },
    all: { type: "boolean" },
    cwd: { type: "string" },
  });
  if (values.json) {
    print("[]\n");
    return 0;
  }
  complain(
    "agentwire-agent agents: background sessions are run by the daemon; see agentwire --help. " +
      "The agents that a conversation can delegate to are the files in .claude/agents.\n",
  );
  return 1;
};

/** `help`: what `--help` prints. */
const help: Command = ({ print }) => {
  print(HELP);
  return 0;
};
