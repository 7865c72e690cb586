import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A user's folder of transcripts for one test, read by both SDKs. */
export interface SessionFolder {
  readonly root: string;
  /** A project of the user. */
  readonly project: string;
  /** The folder that contains a project's transcripts. */
  folderOf(project: string): string;
  /** Writes a transcript and returns the session's id; lines other than strings are written as JSON. */
  write(lines: readonly unknown[], options?: { project?: string; id?: string; end?: string }): string;
  path(id: string, project?: string): string;
}

/** Creates an empty folder, which this process uses until the test has finished. */
export function openSessionFolder(): SessionFolder {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-sessions-")));
  const configDir = join(root, "home");
  const before = process.env.CLAUDE_CONFIG_DIR;
  process.env.CLAUDE_CONFIG_DIR = configDir;
  onTestFinished(() => {
    if (before === undefined) delete process.env.CLAUDE_CONFIG_DIR;
    else process.env.CLAUDE_CONFIG_DIR = before;
    rmSync(root, { recursive: true, force: true });
  });
  const project = join(root, "project");
  mkdirSync(project);
  const folderOf = (of: string) => join(configDir, "projects", of.replace(/[^a-zA-Z0-9]/g, "-"));
  const path = (id: string, of = project) => join(folderOf(of), `${id}.jsonl`);
  let age = 1_700_000_000;
  return {
    root,
    project,
    folderOf,
    path,
    write(lines, { project: of = project, id = randomUUID(), end = "\n" } = {}) {
      mkdirSync(folderOf(of), { recursive: true });
      const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
      writeFileSync(path(id, of), text.join("\n") + end);
      // Files written within the same millisecond would have no defined order.
      age += 1;
      utimesSync(path(id, of), age, age);
      return id;
    },
  };
}

/** Builds the lines of a conversation, each linked to the previous one. */
export function conversation(sessionId: string, cwd: string) {
  let parentUuid: string | null = null;
  let time = Date.parse("2026-01-02T03:04:05.000Z");
  return (type: string, message: unknown, more: object = {}) => {
    const uuid = randomUUID();
    time += 1000;
    const line = {
      parentUuid,
      isSidechain: false,
      userType: "external",
      cwd,
      sessionId,
      version: "2.1.325",
      gitBranch: "main",
      type,
      message,
      uuid,
      timestamp: new Date(time).toISOString(),
      ...more,
    };
    parentUuid = uuid;
    return line;
  };
}
