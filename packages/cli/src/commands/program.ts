import type { Command } from "../command.ts";
import { VERSION } from "../version.ts";
import { ATTACH } from "./attach.ts";
import { AUDIT } from "./audit.ts";
import { COMPLETION } from "./completion.ts";
import { CONFORMANCE } from "./conformance.ts";
import { DAEMON } from "./daemon.ts";
import { DOCTOR } from "./doctor.ts";
import { GATEWAY } from "./gateway.ts";
import { MODELS } from "./models.ts";
import { QUESTIONS } from "./questions.ts";
import { EXPLAIN, RULES } from "./rules.ts";
import { RUN } from "./run.ts";
import { SESSIONS } from "./sessions.ts";
import { TOKENS } from "./tokens.ts";
import { USAGE } from "./usage.ts";
import { WEB } from "./web.ts";
import { RECORD, REPLAY } from "./wire.ts";
import { WORKTREE } from "./worktree.ts";

/** The program itself: every command, from which dispatch, help and completion come. */
export const PROGRAM: Command = {
  name: "agentwire",
  summary: "runs coding agents as sessions that outlive terminals, and lets you watch, steer and decide",
  options: [{ name: "version", summary: "prints the version" }],
  examples: [
    'agentwire run "list the files here"     # starts a daemon if none runs',
    "agentwire attach                        # the session that needs you most",
    "agentwire doctor                        # what is there, what is missing",
  ],
  subcommands: [
    RUN,
    ATTACH,
    WEB,
    SESSIONS,
    WORKTREE,
    QUESTIONS,
    RULES,
    EXPLAIN,
    USAGE,
    MODELS,
    GATEWAY,
    DAEMON,
    TOKENS,
    AUDIT,
    DOCTOR,
    RECORD,
    REPLAY,
    CONFORMANCE,
    COMPLETION,
  ],
  run: async ({ values, io }) => {
    if (values.has("version")) io.stdout.write(`${VERSION} (agentwire)\n`);
    else {
      const { helpOf } = await import("../help.ts");
      io.stdout.write(helpOf([PROGRAM]));
    }
    return 0;
  },
};
