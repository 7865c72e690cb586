import { type Command, readOptions } from "./command.ts";

/** `agents --json`: the sessions that this program runs in the background, of which there are none: they belong to the daemon. */
export const agents: Command = ({ args, print, complain }) => {
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
    "agentwire-agent agents: sessions in the background belong to the daemon; see agentwire --help. " +
      "Agents that a conversation can delegate to are the files in .claude/agents.\n",
  );
  return 1;
};
