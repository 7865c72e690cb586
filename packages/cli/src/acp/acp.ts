import { spawn } from "node:child_process";
import { once } from "node:events";
import { locateAgent } from "@agentwire/host/agent";
import { type JsonObject, LineSplitter, parseLine } from "@agentwire/protocol";
import { type AcpOpening, type AcpPort, AcpRouter } from "@agentwire/protocol/dialect";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type Call, hasOption, textOption } from "../command.ts";
import { daemonOrNew } from "../daemon/reach.ts";
import type { Client } from "../talk/client.ts";
import { reasonOf } from "../talk/rpc-error.ts";
import { SessionBridge } from "./session-bridge.ts";

const PAGE = 50;

/** Serves an editor as an Agent Client Protocol agent until the editor closes stdin. */
export async function acp(call: Call): Promise<number> {
  const { io } = call;
  if (hasOption(call, "no-daemon")) return withoutDaemon(call);
  const client = await daemonOrNew(io, "acp");
  const router = new AcpRouter({
    write: (line) => void io.stdout.write(`${JSON.stringify(line)}\n`),
    open: (opening) => withReadableErrors(openSession(client, call, opening)),
    list: (params) => withReadableErrors(listSessions(client, params)),
  });
  const splitter = new LineSplitter();
  for await (const chunk of io.stdin)
    for (const line of splitter.push(chunk as Buffer)) router.take(parseLine(line));
  for (const line of splitter.end()) router.take(parseLine(line));
  await router.close();
  return 0;
}

/** Awaits work and rewords its failure for the editor's user. */
async function withReadableErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
}

/** Runs our own agent without a daemon; it speaks the protocol itself. */
async function withoutDaemon(call: Call): Promise<number> {
  const { io } = call;
  const [program, ...args] = locateAgent({ isOwn: true, env: io.env }).command;
  const given = ["model", "mode"].flatMap((name) => {
    const value = textOption(call, name);
    return value === undefined ? [] : [name === "mode" ? "--permission-mode" : `--${name}`, value];
  });
  const child = spawn(program, [...args, "--acp", ...given], {
    stdio: "inherit",
    env: { ...io.env },
    cwd: io.cwd,
  });
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
}

async function openSession(client: Client, call: Call, opening: AcpOpening): Promise<AcpPort> {
  const { method, params, write, ended } = opening;
  const { session } =
    method === "session/new"
      ? await client.sessions.createSession({
          cwd: String(params.cwd ?? ""),
          agent: textOption(call, "agent") ?? "",
          model: textOption(call, "model") ?? "",
          permissionMode: textOption(call, "mode") ?? "",
        })
      : await client.sessions.getSession({ sessionId: String(params.sessionId ?? "") });
  if (!session) throw new Error("the daemon returned no session");
  return new SessionBridge({ client, session, write, ended });
}

async function listSessions(client: Client, { cwd, cursor }: JsonObject): Promise<JsonObject> {
  const { sessions, nextPageToken } = await client.sessions.listSessions({
    pageSize: PAGE,
    ...(typeof cwd === "string" && { cwd }),
    ...(typeof cursor === "string" && { pageToken: cursor }),
  });
  return {
    sessions: sessions.map(({ id, cwd: folder, title, updatedAt }) => ({
      sessionId: id,
      cwd: folder,
      ...(title !== "" && { title }),
      ...(updatedAt && { updatedAt: timestampDate(updatedAt).toISOString() }),
    })),
    ...(nextPageToken !== "" && { nextCursor: nextPageToken }),
  };
}
