import { randomUUID } from "node:crypto";
import {
  chmod,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { MAX_BACKUP_BYTES } from "../../src/checkpoint/backups.ts";
import { Checkpoints, copyCheckpoints } from "../../src/checkpoint/checkpoints.ts";
import { newFolder } from "../store/folder.ts";

/** A session that changes files below `folder` with checkpoints enabled. */
async function newSession(enabled = true) {
  const folder = await newFolder();
  const configDir = await newFolder();
  const sessionId = randomUUID();
  const unsaved: string[] = [];
  const open = (id = sessionId) =>
    new Checkpoints({ configDir, sessionId: id, enabled, env: {}, onUnsaved: (path) => unsaved.push(path) });
  const checkpoints = open();
  return {
    folder,
    configDir,
    sessionId,
    unsaved,
    checkpoints,
    open,
    path: (name: string) => join(folder, name),
    read: (name: string) => readFile(join(folder, name), "utf8"),
    async write(name: string, content: string): Promise<void> {
      await checkpoints.beforeChange(join(folder, name));
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    },
  };
}

describe("a rewind", () => {
  test("goes back two prompts like the official CLI", async () => {
    const session = await newSession();
    await writeFile(session.path("doc.txt"), "version one\n");
    await session.checkpoints.begin("one");
    await session.write("doc.txt", "version two\n");
    await session.checkpoints.begin("two");
    await session.write("doc.txt", "version three\n");
    await session.write("extra.txt", "extra");
    expect(await session.checkpoints.rewind("two", true)).toEqual({
      canRewind: true,
      filesChanged: [session.path("doc.txt"), session.path("extra.txt")],
      insertions: 1,
      deletions: 2,
    });
    expect(await session.read("doc.txt")).toBe("version three\n");
    expect(await session.checkpoints.rewind("two", false)).toEqual({ canRewind: true, skippedLinks: 0 });
    expect(await session.read("doc.txt")).toBe("version two\n");
    expect(await readdir(session.folder)).toEqual(["doc.txt"]);
    expect(await session.checkpoints.rewind("one", false)).toEqual({ canRewind: true, skippedLinks: 0 });
    expect(await session.read("doc.txt")).toBe("version one\n");
  });

  test("is refused for an unknown prompt and with checkpoints disabled", async () => {
    const session = await newSession();
    await session.checkpoints.begin("one");
    const refusal = { canRewind: false, error: "No file checkpoint found for this message." };
    expect(await session.checkpoints.rewind("two", true)).toEqual(refusal);
    expect(await session.checkpoints.rewind("two", false)).toEqual(refusal);
    const off = await newSession(false);
    await off.checkpoints.begin("one");
    await off.write("a", "a");
    expect(await off.checkpoints.rewind("one", false)).toMatchObject({ canRewind: false });
    expect(await readdir(off.configDir)).toEqual([]);
  });

  test("to a prompt that changed nothing changes nothing", async () => {
    const session = await newSession();
    await session.checkpoints.begin("one");
    expect(await session.checkpoints.rewind("one", true)).toEqual({
      canRewind: true,
      filesChanged: [],
      insertions: 0,
      deletions: 0,
    });
  });

  test("works in a later process and in a fork, even if the last line of the index is torn", async () => {
    const session = await newSession();
    await session.checkpoints.begin("one");
    await session.write("a", "new");
    const index = join(session.configDir, "file-history", session.sessionId, "index.jsonl");
    await writeFile(index, '{"file":{"path":"/x', { flag: "a" });
    const later = session.open();
    await later.begin("two");
    await later.beforeChange(session.path("a"));
    await writeFile(session.path("a"), "newer");
    const fork = randomUUID();
    await copyCheckpoints(session.configDir, session.sessionId, fork);
    await session.open(fork).rewind("two", false);
    expect(await session.read("a")).toBe("new");
    await session.open().rewind("one", false);
    expect(await readdir(session.folder)).toEqual([]);
  });

  test("restores a deleted file with its folder and mode", async () => {
    const session = await newSession();
    await session.checkpoints.begin("zero");
    await session.write("a/b/run.sh", "#!/bin/sh\n");
    await chmod(session.path("a/b/run.sh"), 0o755);
    await session.checkpoints.begin("one");
    await session.checkpoints.beforeChange(session.path("a/b/run.sh"));
    await rm(session.path("a"), { recursive: true });
    await session.checkpoints.rewind("one", false);
    expect(await session.read("a/b/run.sh")).toBe("#!/bin/sh\n");
    expect((await stat(session.path("a/b/run.sh"))).mode & 0o777).toBe(0o755);
  });

  test("never follows a link that replaced the file or its folder", async () => {
    const session = await newSession();
    const outside = await newFolder();
    await writeFile(join(outside, "precious"), "precious");
    await session.checkpoints.begin("one");
    await session.write("file", "x");
    await session.write("dir/precious", "x");
    await rm(session.path("file"));
    await symlink(join(outside, "precious"), session.path("file"));
    await rename(session.path("dir"), session.path("moved"));
    await symlink(outside, session.path("dir"));
    expect(await session.checkpoints.rewind("one", false)).toEqual({ canRewind: true, skippedLinks: 2 });
    expect(await readFile(join(outside, "precious"), "utf8")).toBe("precious");
  });

  test("skips files that were links when they were changed", async () => {
    const session = await newSession();
    await writeFile(session.path("real"), "1");
    await symlink(session.path("real"), session.path("soft"));
    await writeFile(session.path("first"), "1");
    await link(session.path("first"), session.path("second"));
    await session.checkpoints.begin("one");
    await session.write("soft", "2");
    await session.write("second", "2");
    expect(session.unsaved).toEqual([session.path("soft"), session.path("second")]);
    expect(await session.checkpoints.rewind("one", false)).toEqual({ canRewind: true, skippedLinks: 2 });
    expect(await session.read("real")).toBe("2");
  });

  test("cannot restore a file that was too large to back up", async () => {
    const session = await newSession();
    await writeFile(session.path("big"), Buffer.alloc(MAX_BACKUP_BYTES + 1));
    await session.checkpoints.begin("one");
    await session.write("big", "small");
    expect(session.unsaved).toEqual([session.path("big")]);
    expect(await session.checkpoints.rewind("one", false)).toEqual({ canRewind: true, skippedLinks: 1 });
    expect(await session.read("big")).toBe("small");
  });

  test("fails if nothing could be restored", async () => {
    const session = await newSession();
    await writeFile(session.path("a"), "1");
    await session.checkpoints.begin("one");
    await session.write("a", "2");
    const backups = join(session.configDir, "file-history", session.sessionId);
    for (const name of await readdir(backups)) if (name !== "index.jsonl") await rm(join(backups, name));
    expect(await session.checkpoints.rewind("one", false)).toMatchObject({ canRewind: false });
    expect(await session.read("a")).toBe("2");
  });

  test("counts no lines for binary files", async () => {
    const session = await newSession();
    await session.checkpoints.begin("one");
    await session.write("image", "\0\n\0\n");
    expect(await session.checkpoints.rewind("one", true)).toMatchObject({
      filesChanged: [session.path("image")],
      deletions: 0,
    });
  });
});

describe("checkpoints", () => {
  test("store their backups so that no other user can read them", async () => {
    const session = await newSession();
    await writeFile(session.path("a"), "secret");
    await session.checkpoints.begin("one");
    await session.write("a", "2");
    const folder = join(session.configDir, "file-history", session.sessionId);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const names = await readdir(folder);
    expect(names).toHaveLength(2);
    for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  });

  test("save simultaneous changes one after the other", async () => {
    const session = await newSession();
    await writeFile(session.path("a"), "before");
    const { checkpoints } = session;
    await Promise.all([
      checkpoints.begin("one"),
      checkpoints.beforeChange(session.path("a")).then(() => writeFile(session.path("a"), "after")),
      checkpoints.beforeChange(session.path("a")),
      checkpoints.beforeChange(session.path("b")),
    ]);
    await checkpoints.rewind("one", false);
    expect(await session.read("a")).toBe("before");
  });
});
