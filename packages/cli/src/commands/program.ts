import type { Command } from "../command.ts";
import { personAt } from "../io.ts";
import { VERSION } from "../version.ts";
import { ACP } from "./acp.ts";
import { ATTACH } from "./attach.ts";
import { AUDIT } from "./audit.ts";
import { COMPLETION } from "./completion.ts";
import { CONFORMANCE } from "./conformance.ts";
import { DAEMON } from "./daemon.ts";
import { DOCTOR } from "./doctor.ts";
import { EXPORT } from "./export.ts";
import { GATEWAY } from "./gateway.ts";
import { MODELS } from "./models.ts";
import { NODES } from "./nodes.ts";
import { QUESTIONS } from "./questions.ts";
import { EXPLAIN, RULES } from "./rules.ts";
import { RUN, SESSION_OPTIONS } from "./run.ts";
import { SEARCH } from "./search.ts";
import { SESSIONS } from "./sessions.ts";
import { TOKENS } from "./tokens.ts";
import { USAGE } from "./usage.ts";
import { WEB } from "./web.ts";
import { RECORD, REPLAY } from "./wire.ts";
import { WORKTREE } from "./worktree.ts";

/** The program itself with all its commands: the source of dispatch, help and completion. */
export const PROGRAM: Command = {
  name: "agentwire",
  summary: "runs coding agents as sessions that outlive terminals, and lets you watch, steer and decide",
  details: `Without a command, opens the interactive screen in the current folder, or prints this help if there is no terminal.
On the screen, ? lists the keys. AGENTWIRE_SCREEN sets the default for --screen.`,
  options: [
    { name: "version", summary: "prints the version" },
    ...SESSION_OPTIONS,
    { name: "resume", short: "r", value: "ID", summary: "opens this session in the screen" },
    { name: "continue", short: "c", summary: "opens the latest session of the folder in the screen" },
    {
      name: "screen",
      value: "HOW",
      summary: "below existing output, on the alternate screen, or as plain lines for screen readers",
      choices: ["inline", "alternate", "plain"],
    },
  ],
  examples: [
    "agentwire                               # the interactive screen, in this folder",
    'agentwire run "list the files here"     # starts a daemon if none runs',
    "agentwire attach                        # the session that needs you most",
    "agentwire doctor                        # what works, what is missing",
  ],
  subcommands: [
    RUN,
    ATTACH,
    WEB,
    SESSIONS,
    SEARCH,
    EXPORT,
    WORKTREE,
    QUESTIONS,
    RULES,
    EXPLAIN,
    USAGE,
    MODELS,
    GATEWAY,
    ACP,
    DAEMON,
    NODES,
    TOKENS,
    AUDIT,
    DOCTOR,
    RECORD,
    REPLAY,
    CONFORMANCE,
    COMPLETION,
  ],
  run: async (call) => {
    const { values, io, json } = call;
    const person = json ? undefined : personAt(io);
    if (values.has("version")) io.stdout.write(`${VERSION} (agentwire)\n`);
    else if (person) return (await import("../screen/open-screen.ts")).openScreen(call, person);
    else {
      const { helpOf } = await import("../help.ts");
      io.stdout.write(helpOf([PROGRAM]));
    }
    return 0;
  },
};
