import { constants } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, isAbsolute } from "node:path";
import type { SessionOptions } from "@agentwire/host";
import type { RequestContext } from "@agentwire/protocol";
import type { Log } from "@agentwire/protocol/support";
import { realPath } from "../permission/real-paths.ts";
import type { CallJudge } from "./call-judge.ts";

type Handlers = NonNullable<SessionOptions["handlers"]>;

/** More than anybody reads as text. */
const MAX_FILE_BYTES = 16_777_216;

/** Reads and writes files for an agent that leaves this to its host: inside its session's folder, elsewhere if a person allows it. */
export function fileHandlers(
  judge: CallJudge,
  log: Log,
): Pick<Handlers, "read_text_file" | "write_text_file"> {
  const allowed = async (tool: "Read" | "Write", path: string, more: object, context: RequestContext) => {
    if (!isAbsolute(path)) throw new Error(`${path} is not an absolute path`);
    await judge.file(tool, path, more, context);
    // Open exactly what was judged: a link put in its place in the meantime is not followed.
    return realPath(path);
  };
  return {
    async read_text_file({ path, line, limit }, context) {
      const text = await readText(await allowed("Read", path, {}, context));
      if (line === undefined && limit === undefined) return { content: text };
      const first = Math.max(0, (line ?? 1) - 1);
      const lines = text.split("\n");
      return { content: lines.slice(first, limit === undefined ? undefined : first + limit).join("\n") };
    },
    async write_text_file({ path, content }, context) {
      const file = await allowed("Write", path, { content }, context);
      await mkdir(dirname(file), { recursive: true });
      const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
      const handle = await open(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o666);
      try {
        await handle.writeFile(content);
        log.info("wrote a file for an agent", { path: file, bytes: content.length });
      } finally {
        await handle.close();
      }
      return {};
    },
  };
}

async function readText(path: string): Promise<string> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error(`${path} is not a file`);
    if (stat.size > MAX_FILE_BYTES) throw new Error(`${path} has more than ${MAX_FILE_BYTES} bytes`);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}
