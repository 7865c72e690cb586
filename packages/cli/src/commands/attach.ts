import type { Command } from "../command.ts";

export const ATTACH: Command = {
  name: "attach",
  summary: "shows a session live and lets you take part",
  args: "[SESSION]",
  count: [0, 1],
  details: `Without a session, the one that needs somebody most. Shows its latest events, then what happens. Type a line and
press Enter to send it; questions are answered with a key; Ctrl-C interrupts the turn, Ctrl-D leaves. When the daemon goes
away it is looked for, and the view goes on after the last event that was seen. Where somebody else holds the input, they
are asked for it when you send; whoever asks you for it gets it or not by a key.`,
  options: [{ name: "all", summary: "shows everything that is stored, not only the latest" }],
  examples: [
    "agentwire attach",
    "agentwire attach 3f2a91c0 --all",
    "agentwire attach --json 3f2a91c0 > events.jsonl",
  ],
  run: async (call) => (await import("../attach/attach.ts")).attach(call),
};
