import type { Command, Option } from "../command.ts";
import { STATUS_NAMES } from "../sessions/status-names.ts";

const ID_NOTE = "SESSION is an id or the beginning of one.";

const LIST_OPTIONS: readonly Option[] = [
  {
    name: "search",
    value: "WORDS",
    summary: "only those with these words in title, folder or first prompt",
  },
  { name: "cwd", value: "DIR", summary: "only those of this folder" },
  {
    name: "status",
    value: "STATUS",
    summary: "only those with this status",
    choices: STATUS_NAMES,
  },
  { name: "deleted", summary: "also deleted ones" },
  { name: "archived", summary: "archived ones instead of the others" },
  { name: "attention", summary: "those that need attention first" },
  { name: "limit", value: "N", summary: "how many to show (50)" },
];

export const SESSIONS: Command = {
  name: "sessions",
  summary: "lists, shows and changes sessions",
  options: LIST_OPTIONS,
  count: [0, 0],
  run: async (call) => (await import("../sessions/list.ts")).list(call),
  examples: [
    "agentwire sessions",
    "agentwire sessions list --search tests --status asking",
    "agentwire sessions show 3f2a91c0",
  ],
  subcommands: [
    {
      name: "list",
      summary: "lists sessions, latest first",
      options: LIST_OPTIONS,
      examples: [
        "agentwire sessions list",
        "agentwire sessions list --cwd . --limit 5",
        "agentwire sessions list --json | jq -r '.sessions[].id'",
      ],
      run: async (call) => (await import("../sessions/list.ts")).list(call),
    },
    {
      name: "show",
      summary: "shows a session",
      args: "SESSION",
      count: [1, 1],
      details: ID_NOTE,
      examples: ["agentwire sessions show 3f2a91c0"],
      run: async (call) => (await import("../sessions/show.ts")).show(call),
    },
    {
      name: "rename",
      summary: "renames a session",
      args: "SESSION TITLE",
      count: [2, Number.POSITIVE_INFINITY],
      examples: ["agentwire sessions rename 3f2a91c0 the parser"],
      run: async (call) => (await import("../sessions/change.ts")).rename(call),
    },
    {
      name: "archive",
      summary: "archives sessions: they are listed only with --archived",
      args: "SESSION…",
      count: [1, Number.POSITIVE_INFINITY],
      options: [{ name: "undo", summary: "takes them out of the archive" }],
      examples: ["agentwire sessions archive 3f2a91c0", "agentwire sessions list --archived"],
      run: async (call) => (await import("../sessions/change.ts")).archive(call),
    },
    {
      name: "pin",
      summary: "pins sessions: they come first with --attention and in the console",
      args: "SESSION…",
      count: [1, Number.POSITIVE_INFINITY],
      options: [{ name: "undo", summary: "unpins them" }],
      examples: ["agentwire sessions pin 3f2a91c0"],
      run: async (call) => (await import("../sessions/change.ts")).pin(call),
    },
    {
      name: "delete",
      summary: "soft-deletes a session and ends its agent; it can be restored",
      args: "SESSION…",
      count: [1, Number.POSITIVE_INFINITY],
      examples: ["agentwire sessions delete 3f2a91c0"],
      run: async (call) => (await import("../sessions/change.ts")).remove(call),
    },
    {
      name: "restore",
      summary: "restores a deleted session",
      args: "SESSION",
      count: [1, 1],
      examples: ["agentwire sessions list --deleted", "agentwire sessions restore 3f2a91c0"],
      run: async (call) => (await import("../sessions/change.ts")).restore(call),
    },
    {
      name: "fork",
      summary: "forks a session into an independent copy",
      args: "SESSION",
      count: [1, 1],
      options: [{ name: "title", value: "TITLE", summary: "the title of the copy" }],
      examples: ["agentwire sessions fork 3f2a91c0 --title 'the other way'"],
      run: async (call) => (await import("../sessions/change.ts")).fork(call),
    },
    {
      name: "move",
      summary: "moves a session to another node when its turn has finished",
      args: "SESSION",
      count: [1, 1],
      details: `For daemons that share a PostgreSQL database. From a node that is down, it moves at once. The session's folder must
be there.`,
      options: [{ name: "to", value: "NODE", summary: "the name of a node, or its id (agentwire nodes)" }],
      examples: ["agentwire sessions move 3f2a91c0 --to node-2"],
      run: async (call) => (await import("../sessions/change.ts")).move(call),
    },
    {
      name: "adopt",
      summary: "lists Claude Code's conversations on this machine, or imports some of them",
      args: "[ID…]",
      details:
        "Without an id, lists conversations. An imported one is a session like any other: it can be read, searched, forked and continued.",
      options: [{ name: "all", summary: "imports all of them" }],
      examples: ["agentwire sessions adopt", "agentwire sessions adopt --all"],
      run: async (call) => (await import("../sessions/adopt.ts")).adopt(call),
    },
    {
      name: "export",
      summary: "prints everything stored for a session",
      args: "SESSION",
      count: [1, 1],
      details: `As text; with --json one event per line; with --raw the agent's own lines, of which only the latest are kept.`,
      options: [{ name: "raw", summary: "prints the agent's own lines" }],
      examples: [
        "agentwire sessions export 3f2a91c0 > talk.txt",
        "agentwire sessions export --json 3f2a91c0 > events.jsonl",
      ],
      run: async (call) => (await import("../sessions/export.ts")).exportSession(call),
    },
  ],
};
