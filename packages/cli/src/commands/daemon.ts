import type { Command } from "../command.ts";

export const DAEMON: Command = {
  name: "daemon",
  summary: "starts, stops and shows the daemon that runs the agents",
  examples: ["agentwire daemon start", "agentwire daemon status", "agentwire daemon stop"],
  subcommands: [
    {
      name: "start",
      summary: "starts the daemon in the background",
      details: `Returns when it listens, or says why it does not. Clients find it by a socket file that only you can use; a port is
opened only if you ask for one, on the loopback interface, for whoever sends the token in the daemon's folder.
Settings are read from settings.json in that folder.`,
      options: [
        { name: "foreground", summary: "stays, and logs to stderr" },
        { name: "port", value: "N", summary: "also listens at this port of 127.0.0.1; 0 takes any" },
        {
          name: "link",
          summary: "prints a link to the console even where output is no terminal, as in a log",
        },
      ],
      examples: [
        "agentwire daemon start",
        "agentwire daemon start --port 7433",
        "agentwire daemon start --foreground --folder /tmp/agentwire-trial",
      ],
      isLocal: true,
      run: async (call) => (await import("../daemon/start.ts")).start(call),
    },
    {
      name: "stop",
      summary: "stops the daemon and every agent it runs",
      details: `Turns that run may come to their end for a while (daemon.drain_seconds in the settings). Prompts that wait and everything
that was said are kept for the next one.`,
      options: [{ name: "now", summary: "does not wait for turns that run" }],
      examples: ["agentwire daemon stop", "agentwire daemon stop --now"],
      isLocal: true,
      run: async (call) => (await import("../daemon/stop.ts")).stop(call),
    },
    {
      name: "status",
      summary: "shows whether the daemon runs, and how it is",
      details: "Exit: 0 it runs, 1 it does not or is not well.",
      examples: ["agentwire daemon status", "agentwire daemon status --json | jq .health.status"],
      run: async (call) => (await import("../daemon/status.ts")).status(call),
    },
    {
      name: "backup",
      summary: "copies everything that is stored into a file, while the daemon goes on",
      args: "FILE",
      count: [1, 1],
      details: `The copy is made on the machine of the daemon. It is checked before it gets its name, and a file that is there already is
left alone. To go back to it: agentwire daemon restore FILE`,
      examples: ["agentwire daemon backup ~/agentwire-$(date +%F).db"],
      run: async (call) => (await import("../daemon/backups.ts")).backup(call),
    },
    {
      name: "restore",
      summary: "puts a backup in the place of what is stored, while no daemon runs",
      args: "FILE",
      count: [1, 1],
      details:
        "The backup is checked before anything is touched, and what was there is put aside, not deleted.",
      examples: ["agentwire daemon stop && agentwire daemon restore ~/agentwire-2026-01-31.db"],
      isLocal: true,
      run: async (call) => (await import("../daemon/backups.ts")).restore(call),
    },
    {
      name: "reload",
      summary: "makes the daemon read its settings again",
      details: "Its log says what has changed, and what counts only when it is started again.",
      examples: ["agentwire daemon reload"],
      isLocal: true,
      run: async (call) => (await import("../daemon/reload.ts")).reload(call),
    },
    {
      name: "unit",
      summary: "prints a unit file by which systemd runs the daemon",
      options: [{ name: "system", summary: "for the whole machine instead of for you" }],
      examples: [
        "agentwire daemon unit > ~/.config/systemd/user/agentwire.service",
        "systemctl --user enable --now agentwire",
      ],
      isLocal: true,
      run: async (call) => (await import("../daemon/unit.ts")).unit(call),
    },
  ],
};
