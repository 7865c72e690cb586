import { chmod, link, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { fileWorkspace, textOf } from "./file-workspace.ts";

describe("Write", () => {
  test("creates a file and its parent folders", async () => {
    await using files = await fileWorkspace();
    const path = files.path("a/b/new.txt");
    const outcome = await files.call("Write", { file_path: path, content: "alpha\n" });
    expect(outcome.isError).toBeUndefined();
    expect(outcome.data).toEqual({
      type: "create",
      filePath: path,
      content: "alpha\n",
      structuredPatch: [],
      originalFile: null,
      userModified: false,
    });
    expect(await readFile(path, "utf8")).toBe("alpha\n");
    expect(files.changes).toEqual([path]);
  });

  test("replaces a file that has been read, repeatedly", async () => {
    await using files = await fileWorkspace({ "f.txt": "one\n" });
    await files.call("Read", { file_path: "f.txt" });
    const outcome = await files.call("Write", { file_path: "f.txt", content: "two\n" });
    expect(outcome.data).toMatchObject({
      type: "update",
      originalFile: "one\n",
      structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-one", "+two"] }],
    });
    expect(await files.call("Write", { file_path: "f.txt", content: "three\n" })).toMatchObject({
      data: { type: "update" },
    });
    expect(await readdir(files.folder)).toEqual(["f.txt"]);
  });

  test("replaces a file that has not been read", async () => {
    await using files = await fileWorkspace({ "f.txt": "one\n" });
    const outcome = await files.call("Write", { file_path: "f.txt", content: "two\n" });
    expect(outcome.data).toMatchObject({ type: "update", filePath: "f.txt", originalFile: "one\n" });
    expect(await readFile(files.path("f.txt"), "utf8")).toBe("two\n");
  });

  test("refuses a file that has changed since it was read, even to an earlier time", async () => {
    await using files = await fileWorkspace({ "f.txt": "one\n" });
    await files.call("Read", { file_path: "f.txt" });
    await writeFile(files.path("f.txt"), "other\n");
    await utimes(files.path("f.txt"), new Date(0), new Date(0));
    const outcome = await files.call("Write", { file_path: "f.txt", content: "two\n" });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toContain("modified since read");
  });

  test("refuses a folder", async () => {
    await using files = await fileWorkspace({ "sub/x": "" });
    expect(await files.call("Write", { file_path: "sub", content: "" })).toMatchObject({ isError: true });
  });

  test("preserves mode and byte order mark, but not line endings", async () => {
    await using files = await fileWorkspace({ "run.sh": "\uFEFFa\r\nb\r\n" });
    await chmod(files.path("run.sh"), 0o751);
    await files.call("Read", { file_path: "run.sh" });
    await files.call("Write", { file_path: "run.sh", content: "c\nd\n" });
    expect(await readFile(files.path("run.sh"), "utf8")).toBe("\uFEFFc\nd\n");
    expect((await stat(files.path("run.sh"))).mode & 0o777).toBe(0o751);
  });

  test("replaces a file with a different time if its content is still what was read", async () => {
    await using files = await fileWorkspace({ "f.txt": "one\r\n" });
    await files.call("Read", { file_path: "f.txt" });
    await utimes(files.path("f.txt"), new Date(0), new Date(0));
    expect(await files.call("Write", { file_path: "f.txt", content: "two\n" })).not.toHaveProperty("isError");
  });

  test("does not write through a symbolic link, but reports its target; it follows links in parent folders", async () => {
    await using files = await fileWorkspace({ "real/f.txt": "one" });
    await symlink("real/f.txt", files.path("link"));
    await symlink("real/later.txt", files.path("dead"));
    await symlink("real", files.path("way"));
    for (const [name, target] of [
      ["link", "real/f.txt"],
      ["dead", "real/later.txt"],
    ] as const) {
      const outcome = await files.call("Write", { file_path: name, content: "two" });
      expect(outcome).toMatchObject({ isError: true, content: expect.stringContaining(files.path(target)) });
    }
    await files.call("Write", { file_path: "way/f.txt", content: "three" });
    expect(await readFile(files.path("real/f.txt"), "utf8")).toBe("three");
    expect(await readdir(files.path("real"))).toEqual(["f.txt"]);
  });

  test("preserves other hard links to a file", async () => {
    await using files = await fileWorkspace({ "f.txt": "one" });
    await link(files.path("f.txt"), files.path("g.txt"));
    await files.call("Read", { file_path: "f.txt" });
    await files.call("Write", { file_path: "f.txt", content: "two" });
    expect(await readFile(files.path("g.txt"), "utf8")).toBe("two");
  });

  test.skipIf(process.platform !== "linux")("fails at once if the folder can't be created", async () => {
    await using files = await fileWorkspace();
    const call = files.call("Write", { file_path: "/proc/agentwire/new.txt", content: "" });
    await expect(call).rejects.toThrow("/proc/agentwire");
  });

  test("writes nothing if it is aborted", async () => {
    await using files = await fileWorkspace();
    await expect(files.call("Write", { file_path: "f", content: "" }, AbortSignal.abort())).rejects.toThrow(
      "abort",
    );
    expect(await readdir(files.folder)).toEqual([]);
  });
});
