import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Checkpoints } from "../../src/checkpoint/checkpoints.ts";
import { newFolder } from "../store/folder.ts";

const NAMES = ["a", "b", "sub/c", "sub/deeper/d"];

type Action =
  | { readonly do: "prompt" }
  | { readonly do: "write"; readonly name: string; readonly content: string }
  | { readonly do: "delete"; readonly name: string }
  | { readonly do: "rewind"; readonly to: number }
  | { readonly do: "restart" };

const name = fc.constantFrom(...NAMES);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant("prompt" as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("write" as const), name, content: fc.string({ maxLength: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("rewind" as const), to: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
);

async function contentsOf(folder: string): Promise<Map<string, string>> {
  const contents = new Map<string, string>();
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const file of found.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    contents.set(path, await readFile(path, "utf8"));
  }
  return contents;
}

test("a rewind in either direction restores exactly the files that existed at its prompt", async () => {
  const root = await newFolder();
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
      const folder = join(root, randomUUID());
      await mkdir(folder);
      const session = { configDir: root, sessionId: randomUUID(), enabled: true, env: {}, onUnsaved() {} };
      let checkpoints = new Checkpoints(session);
      const prompts: { readonly uuid: string; readonly contents: Map<string, string> }[] = [];
      const begin = async () => {
        const uuid = randomUUID();
        await checkpoints.begin(uuid);
        prompts.push({ uuid, contents: await contentsOf(folder) });
      };
      await begin();
      for (const step of actions) {
        switch (step.do) {
          case "prompt":
            await begin();
            break;
          case "write":
            await checkpoints.beforeChange(join(folder, step.name));
            await mkdir(dirname(join(folder, step.name)), { recursive: true });
            await writeFile(join(folder, step.name), step.content);
            break;
          case "delete":
            await checkpoints.beforeChange(join(folder, step.name));
            await rm(join(folder, step.name), { force: true });
            break;
          case "rewind": {
            const target = prompts[step.to % prompts.length];
            expect(await checkpoints.rewind(target?.uuid ?? "", false)).toEqual({
              canRewind: true,
              skippedLinks: 0,
            });
            expect(await contentsOf(folder)).toEqual(target?.contents);
            break;
          }
          case "restart":
            checkpoints = new Checkpoints(session);
        }
      }
    }),
    { numRuns: 60 },
  );
});
