import type { Command } from "../command.ts";

export const NODES: Command = {
  name: "nodes",
  summary: "shows the daemons that share a PostgreSQL database",
  details: `A node is down when its lease has expired. Its sessions in shared folders continue on other nodes; the others wait for it,
or can be moved with "sessions move".`,
  count: [0, 0],
  examples: ["agentwire nodes", "agentwire nodes --json | jq -r '.nodes[] | select(.alive) | .name'"],
  run: async (call) => (await import("../daemon/nodes.ts")).list(call),
};
