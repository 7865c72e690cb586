import { DrainNodeResponseSchema, ListNodesResponseSchema, type Node } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import type { Call } from "../command.ts";
import { plain } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";
import { table } from "../render/table.ts";
import { jsonLine } from "../talk/json.ts";
import { runningDaemon } from "./reach.ts";

/** Shows the daemons that share a store. */
export async function list({ io, json }: Call): Promise<number> {
  const { nodes } = await runningDaemon(io, "nodes");
  const found = await nodes.listNodes({});
  const heads = ["ID", "NAME", "STATE", "LEASE", "AGENTS", "SESSIONS", "VERSION", "ADDRESS"];
  io.stdout.write(
    json
      ? jsonLine(ListNodesResponseSchema, found)
      : table([heads, ...found.nodes.map(row)], io.stdout.columns),
  );
  return EXIT_CODES.done;
}

function row(node: Node): string[] {
  const state = !node.alive ? "down" : node.draining ? "draining" : "up";
  return [
    shortId(node.id) || "-",
    `${plain(node.name)}${node.self ? " (this one)" : ""}`,
    state,
    node.leaseMs === 0 ? "-" : `${Math.ceil(node.leaseMs / 1000)} s`,
    node.alive ? `${node.processes}/${node.maxProcesses}` : "-",
    String(node.sessions),
    plain(node.version),
    plain(node.address) || "-",
  ];
}

/** Moves the sessions of a node to others. */
export async function drain({ io, json }: Call): Promise<number> {
  const { nodes } = await runningDaemon(io, "drain");
  const done = await nodes.drainNode({});
  const { moved, kept } = done;
  const text = [
    `This node accepts no more sessions; ${moved} ${moved === 1 ? "has" : "have"} moved to other nodes.`,
    ...(kept > 0
      ? [`${kept} can't move, since other nodes don't have their files: they continue here after a restart.`]
      : []),
    "To stop it: agentwire daemon stop",
  ];
  io.stdout.write(json ? jsonLine(DrainNodeResponseSchema, done) : `${text.join("\n")}\n`);
  return EXIT_CODES.done;
}
