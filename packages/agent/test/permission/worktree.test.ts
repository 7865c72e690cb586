import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { WorktreePlace } from "../../src/tools/workspace.ts";
import { makePlaces, makeRig, type Places, put, type RigOptions } from "./rig.ts";

/** A gate, and a workspace in a worktree of its project. */
async function makeWorktreeRig(chosen: RigOptions | ((places: Places) => RigOptions) = {}) {
  const places = makePlaces();
  const options = typeof chosen === "function" ? chosen(places) : chosen;
  const worktree: WorktreePlace = {
    path: join(places.project, ".claude/worktrees/wt"),
    origin: places.project,
  };
  for (const name of ["a.txt", ".env", "src/x.ts", "secrets/key"]) {
    put(join(worktree.path, name));
    put(join(places.project, name));
  }
  const rig = await makeRig({ places, ...options });
  const at = { cwd: worktree.path, outputFolder: places.output, worktree };
  const behavior = async (name: string, input: Record<string, string>) =>
    (await rig.decide(name, input, { workspace: at as never })).behavior;
  return { ...rig, worktree, behavior };
}

const within = (folder: string, name: string) => ({ file_path: join(folder, name) });

describe("an agent in a worktree", () => {
  test("may edit there what the mode allows, and is asked about the original folder", async () => {
    const { behavior, worktree, project, asked } = await makeWorktreeRig({ mode: "acceptEdits" });
    expect(await behavior("Edit", within(worktree.path, "src/x.ts"))).toBe("allow");
    expect(await behavior("Edit", { file_path: "src/x.ts" })).toBe("allow");
    expect(asked).toHaveLength(0);
    expect(await behavior("Edit", within(project, "src/x.ts"))).toBe("deny");
    expect(await behavior("Read", within(project, "src/x.ts"))).toBe("deny");
    expect(asked).toHaveLength(2);
  });

  test.each(["./.env", ".env", "/.env", "**/.env"])(
    "is denied by Read(%s) in both folders, whatever the mode",
    async (pattern) => {
      const deny = [`Read(${pattern})`];
      const { behavior, worktree, project } = await makeWorktreeRig({
        mode: "bypassPermissions",
        allowBypass: true,
        projectSettings: { permissions: { deny } },
      });
      for (const folder of [worktree.path, project]) {
        expect(await behavior("Read", within(folder, ".env"))).toBe("deny");
        expect(await behavior("Bash", { command: `cat ${join(folder, ".env")}` })).toBe("deny");
      }
      expect(await behavior("Read", within(worktree.path, "a.txt"))).toBe("allow");
    },
  );

  test("is denied the copy of a file that a rule names by its full path", async () => {
    const { behavior, worktree } = await makeWorktreeRig(({ project }) => ({
      mode: "bypassPermissions",
      allowBypass: true,
      user: {
        permissions: { deny: [`Read(/${project}/secrets/**)`, `Edit(/${dirname(project)}/*/src/**)`] },
      },
    }));
    expect(await behavior("Read", within(worktree.path, "secrets/key"))).toBe("deny");
    expect(await behavior("Edit", within(worktree.path, "src/x.ts"))).toBe("deny");
    expect(await behavior("Edit", within(worktree.path, "a.txt"))).toBe("allow");
  });

  test("may do there what a rule allows in the project", async () => {
    const { behavior, worktree, asked } = await makeWorktreeRig({
      projectSettings: { permissions: { allow: ["Edit(/src/**)", "Edit(./a.txt)"] } },
    });
    expect(await behavior("Edit", within(worktree.path, "src/x.ts"))).toBe("allow");
    expect(await behavior("Edit", within(worktree.path, "a.txt"))).toBe("allow");
    expect(asked).toHaveLength(0);
    expect(await behavior("Edit", within(worktree.path, "secrets/key"))).toBe("deny");
    expect(asked).toHaveLength(1);
  });

  test("does not find unreadable files by a search", async () => {
    const { gate, worktree, project } = await makeWorktreeRig({
      projectSettings: { permissions: { deny: ["Read(./.env)"] } },
    });
    const isClosed = gate.closing(worktree);
    expect(isClosed?.(join(worktree.path, ".env"))).toBe(true);
    expect(isClosed?.(join(project, ".env"))).toBe(true);
    expect(isClosed?.(join(worktree.path, "a.txt"))).toBe(false);
  });
});

test("enters and leaves worktrees without a question, except for a checkout outside .claude/worktrees", async () => {
  const { decide, asked, project } = await makeRig();
  expect((await decide("EnterWorktree", { name: "wt" })).behavior).toBe("allow");
  expect((await decide("EnterWorktree", { path: join(project, ".claude/worktrees/wt") })).behavior).toBe(
    "allow",
  );
  expect((await decide("ExitWorktree", { action: "remove" })).behavior).toBe("allow");
  expect(asked).toHaveLength(0);
  expect((await decide("EnterWorktree", { path: "/elsewhere" })).behavior).toBe("deny");
  expect(asked).toHaveLength(1);
});
