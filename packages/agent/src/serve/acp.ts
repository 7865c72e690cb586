import { setMaxListeners } from "node:events";
import { realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { type JsonObject, LineSplitter, Malformed, parseLine } from "@agentwire/protocol";
import { type AcpOpening, type AcpPort, AcpRouter } from "@agentwire/protocol/dialect";
import { errorMessage } from "@agentwire/protocol/support";
import { type Config, reconfigured } from "../config/config.ts";
import { serveStdio } from "./stdio.ts";

/** Sessions per page of a list. */
const PAGE = 50;

/** An upper bound on the sessions of one connection. */
const MAX_LISTENERS = 256;

/** Speaks the Agent Client Protocol over two streams: any number of sessions, each as if it had its own process. */
export async function serveAcp(
  config: Config,
  input: Readable,
  output: Writable,
  complain: (text: string) => void,
): Promise<number> {
  // Each session listens to the signals of the process.
  setMaxListeners(MAX_LISTENERS, process);
  const router = new AcpRouter({
    write: (line) => {
      if (!output.destroyed) output.write(`${JSON.stringify(line)}\n`);
    },
    open: (opening) => openSession(config, opening, complain),
    list: (params) => list(config, params),
  });
  await eachLine(input, (line) => router.take(line));
  await router.close();
  return 0;
}

/** The sessions on disk, one page at a time; the cursor is the index of the next session. */
async function list({ configDir }: Config, { cwd, cursor }: JsonObject): Promise<JsonObject> {
  const { listSessions } = await import("../store/list-sessions.ts");
  const from = typeof cursor === "string" ? Number.parseInt(cursor, 10) || 0 : 0;
  const folder = typeof cwd === "string" ? cwd : undefined;
  const { sessions, hasMore } = await listSessions(configDir, folder, Math.max(from, 0), PAGE);
  return {
    sessions: sessions.map(({ sessionId, cwd, title, updatedMs }) => ({
      sessionId,
      cwd,
      ...(title !== "" && { title }),
      updatedAt: new Date(updatedMs).toISOString(),
    })),
    ...(hasMore && { nextCursor: String(from + PAGE) }),
  };
}

async function openSession(
  config: Config,
  { method, params, write, ended }: AcpOpening,
  complain: (text: string) => void,
): Promise<AcpPort> {
  const cwd = await folderAt(params.cwd);
  const folders = Array.isArray(params.additionalDirectories) ? params.additionalDirectories : [];
  const own = reconfigured(config, {
    cwd,
    env: {},
    permissionMode: undefined,
    addedFolders: folders.filter((folder) => typeof folder === "string"),
    ...(method !== "session/new" && { resume: String(params.sessionId) }),
  });
  const [input, output] = [new PassThrough(), new PassThrough()];
  let said = "";
  const serving = serveStdio(own, input, output, (text) => {
    said = text.trim().replace(/^agentwire-agent: /, "");
    complain(text);
  }).then(
    (code) => (code === 0 || said === "" ? "the session was closed" : said),
    (error: unknown) => errorMessage(error),
  );
  const reading = eachLine(output, (line) => {
    if (!(line instanceof Malformed)) write(line);
  });
  const over = serving.then(async (reason) => {
    output.end();
    await reading;
    ended(reason);
  });
  return {
    take: (line) => {
      if (!input.writableEnded) input.write(`${JSON.stringify(line)}\n`);
    },
    close: () => {
      input.end();
      return over;
    },
  };
}

async function eachLine(input: Readable, take: (line: JsonObject | Malformed) => void): Promise<void> {
  const splitter = new LineSplitter();
  for await (const chunk of input) for (const line of splitter.push(chunk as Buffer)) take(parseLine(line));
  for (const line of splitter.end()) take(parseLine(line));
}

/** The real path of the folder that a client names; throws if it does not exist. */
async function folderAt(path: unknown): Promise<string> {
  const given = typeof path === "string" && isAbsolute(path) ? path : "";
  const found = given === "" ? undefined : await stat(given).catch(() => undefined);
  if (found?.isDirectory()) return realpath(given);
  throw new Error(`cwd: there is no folder ${JSON.stringify(path ?? null)}; give an absolute path`);
}
