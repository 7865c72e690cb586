import type { Command } from "../command.ts";

export const ATTACH: Command = {
  name: "attach",
  summary: "shows a session live and lets you take part",
  args: "[SESSION]",
  count: [0, 1],
  details: `Without SESSION, attaches to the one that most needs attention. Shows its latest events, then follows it live. Type a
line and press Enter to send it; answer questions with a key; Ctrl-C interrupts the turn, Ctrl-D detaches. If the daemon
goes away, attach reconnects and continues after the last event shown. If another client has the input, sending asks for
it; if a client asks you for it, one key hands it over and another keeps it.`,
  options: [{ name: "all", summary: "shows all stored events, not only the latest" }],
  examples: [
    "agentwire attach",
    "agentwire attach 3f2a91c0 --all",
    "agentwire attach --json 3f2a91c0 > events.jsonl",
  ],
  run: async (call) => (await import("../attach/attach.ts")).attach(call),
};
