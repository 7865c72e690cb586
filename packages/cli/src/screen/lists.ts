import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { type Session, SessionStatus } from "@agentwire/api";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Io } from "../io.ts";
import { shortId } from "../render/question-line.ts";
import { printAge } from "../render/time.ts";
import type { Client } from "../talk/client.ts";
import type { Entry } from "./model/picker.ts";

const MOST_SESSIONS = 100;
const MOST_FILES = 20_000;

const STATUS_WORDS: ReadonlyMap<SessionStatus, string> = new Map([
  [SessionStatus.ASKING, "● asks"],
  [SessionStatus.RUNNING, "running"],
  [SessionStatus.STARTING, "starting"],
  [SessionStatus.WAITING, "waits"],
  [SessionStatus.RECOVERING, "recovering"],
  [SessionStatus.FAILED, "failed"],
]);

/** The sessions that can be changed to, those that need somebody first, and a new one. */
export async function sessionEntries({ sessions }: Client, nowMs: number): Promise<readonly Entry[]> {
  const page = await sessions.listSessions({ pageSize: MOST_SESSIONS, byAttention: true });
  return [
    { label: "a new session here", detail: "", value: "" },
    ...page.sessions.map((one) => entryOf(one, nowMs)),
  ];
}

function entryOf({ id, title, cwd, status, updatedAt }: Session, nowMs: number): Entry {
  const age = updatedAt ? printAge(timestampMs(updatedAt), nowMs) : "";
  return {
    label: title === "" ? "untitled" : title,
    detail: [STATUS_WORDS.get(status), age, cwd, shortId(id)].filter(Boolean).join(" · "),
    value: id,
  };
}

/** How many other sessions wait for somebody. */
export async function askingElsewhere({ sessions }: Client, ownId: string): Promise<number> {
  const page = await sessions.listSessions({ pageSize: MOST_SESSIONS, statuses: [SessionStatus.ASKING] });
  return page.sessions.filter(({ id }) => id !== ownId).length;
}

/** The models that can be reached, and the agent's own choice. */
export async function modelEntries(io: Io): Promise<readonly Entry[]> {
  const { findModels, knownProviders } = await import("../models/find.ts");
  const lists = await findModels(await knownProviders(io), 3000);
  const found = lists.flatMap(({ provider, models }) =>
    models.map(({ id }) => {
      const name =
        provider.name === "anthropic" && provider.wire === "messages" ? id : `${provider.name}/${id}`;
      return { label: name, detail: provider.name, value: name };
    }),
  );
  return [{ label: "the agent's own choice", detail: "", value: "" }, ...found];
}

/** The files of a folder: those that git knows or would add, else all that are not hidden. */
export async function fileEntries(folder: string): Promise<readonly Entry[]> {
  const paths = (await gitFiles(folder)) ?? (await allFiles(folder));
  return paths.slice(0, MOST_FILES).map((path) => ({ label: path, detail: "", value: path }));
}

async function gitFiles(folder: string): Promise<readonly string[] | undefined> {
  try {
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    // What a repository names is not run for a list of files.
    const { stdout } = await promisify(execFile)("git", ["-c", "core.fsmonitor=false", ...args], {
      cwd: folder,
      timeout: 5000,
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout.split("\0").filter((path) => path !== "");
  } catch {
    return undefined;
  }
}

async function allFiles(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  const waiting = [folder];
  for (let next = waiting.shift(); next !== undefined && found.length < MOST_FILES; next = waiting.shift()) {
    const here = next;
    // A folder that can't be read has no files to offer.
    const entries = await readdir(here, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const path = join(here, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else found.push(relative(folder, path));
    }
  }
  return found;
}
