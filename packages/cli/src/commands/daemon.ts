import type { Command } from "../command.ts";

export const DAEMON: Command = {
  name: "daemon",
  summary: "starts, stops and inspects the daemon that runs the agents",
  examples: ["agentwire daemon start", "agentwire daemon status", "agentwire daemon stop"],
  subcommands: [
    {
      name: "start",
      summary: "starts the daemon in the background",
      details: `Returns once the daemon is listening, or prints why it failed to start. Clients connect to a socket file that only you can
open; a TCP port is opened only on request, on the loopback interface, for clients that send the token in the daemon's
folder. Settings are read from settings.json in that folder.`,
      options: [
        { name: "foreground", summary: "stays in the foreground and logs to stderr" },
        { name: "port", value: "N", summary: "also listens on this port of 127.0.0.1; 0 picks a free one" },
        {
          name: "store",
          value: "URL",
          summary:
            "keeps everything in this PostgreSQL database (AGENTWIRE_STORE); other users of this machine can see the URL",
        },
        {
          name: "link",
          summary: "prints a console link even if the output is not a terminal",
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
      details: `Waits a while for running turns (daemon.drain_seconds in the settings). Queued prompts and all sessions are kept for the
next start.`,
      options: [{ name: "now", summary: "does not wait for running turns" }],
      examples: ["agentwire daemon stop", "agentwire daemon stop --now"],
      isLocal: true,
      run: async (call) => (await import("../daemon/stop.ts")).stop(call),
    },
    {
      name: "status",
      summary: "shows whether the daemon is running and healthy",
      details: "Exit: 0 running and healthy, 1 otherwise.",
      examples: ["agentwire daemon status", "agentwire daemon status --json | jq .health.status"],
      run: async (call) => (await import("../daemon/status.ts")).status(call),
    },
    {
      name: "backup",
      summary: "backs up the store to a file while the daemon runs",
      args: "FILE",
      count: [1, 1],
      details: `The file is written on the daemon's machine, verified before it gets its name, and never overwrites an existing one.
To restore it: agentwire daemon restore FILE`,
      examples: ["agentwire daemon backup ~/agentwire-$(date +%F).db"],
      run: async (call) => (await import("../daemon/backups.ts")).backup(call),
    },
    {
      name: "restore",
      summary: "replaces the store with a backup; the daemon must be stopped",
      args: "FILE",
      count: [1, 1],
      details: "The backup is verified first, and the current store is moved aside, not deleted.",
      examples: ["agentwire daemon stop && agentwire daemon restore ~/agentwire-2026-01-31.db"],
      isLocal: true,
      run: async (call) => (await import("../daemon/backups.ts")).restore(call),
    },
    {
      name: "reload",
      summary: "makes the daemon reload its settings",
      details: "Prints what changed and what needs a restart; the daemon logs the same.",
      examples: ["agentwire daemon reload"],
      isLocal: true,
      run: async (call) => (await import("../daemon/reload.ts")).reload(call),
    },
    {
      name: "migrate",
      summary: "copies the store into a PostgreSQL database; the daemon must be stopped",
      details:
        "Copies everything or nothing. The database must be empty; the store's file is left unchanged.",
      options: [{ name: "to", value: "URL", summary: "the address of the database" }],
      examples: ["agentwire daemon stop && agentwire daemon migrate --to postgres://db.example/agentwire"],
      isLocal: true,
      run: async (call) => (await import("../daemon/migrate.ts")).migrate(call),
    },
    {
      name: "drain",
      summary: "moves this node's sessions to other nodes, so that it can be upgraded without losing a turn",
      details: `For a daemon that shares a PostgreSQL database with others. It accepts no more sessions; those in shared folders move once
their turns have finished.`,
      examples: ["agentwire daemon drain && agentwire daemon stop"],
      run: async (call) => (await import("../daemon/nodes.ts")).drain(call),
    },
    {
      name: "unit",
      summary: "prints a systemd unit file for the daemon",
      options: [{ name: "system", summary: "a system unit instead of a user unit" }],
      examples: [
        "agentwire daemon unit > ~/.config/systemd/user/agentwire.service",
        "systemctl --user enable --now agentwire",
      ],
      isLocal: true,
      run: async (call) => (await import("../daemon/unit.ts")).unit(call),
    },
  ],
};
