import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type LockOptions, takeLock } from "../../src/sqlite/lock.ts";

let folder = "";
let file = "";
const release: (() => void)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-lock-"));
  file = join(folder, "some.lock");
});
afterEach(() => {
  for (const one of release.splice(0)) one();
  rmSync(folder, { recursive: true, force: true });
});

function take(options?: LockOptions) {
  const locking = takeLock(DatabaseSync, file, options);
  if (locking.state === "held") release.push(locking.release);
  return locking;
}

describe("a lock", () => {
  test("is for one at a time, and is free when that one lets go", () => {
    expect(take().state).toBe("held");
    expect(take()).toMatchObject({ state: "busy", holder: undefined });
    release.pop()?.();
    expect(take().state).toBe("held");
  });

  test("says who has it, if that one has left a number", () => {
    take({ holder: 4711 });
    expect(take({ holder: 4712 })).toMatchObject({ state: "busy", holder: 4711 });
  });

  test("is busy for one that was held in the stricter way of former daemons, too", () => {
    const former = new DatabaseSync(file, { timeout: 0 });
    release.push(() => former.close());
    former.exec("BEGIN EXCLUSIVE");
    expect(take()).toMatchObject({ state: "busy" });
  });

  test("is for its owner alone, and without a number needs no space", () => {
    take();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(file).size).toBe(0);
  });

  test("that a power cut has spoilt is taken all the same", () => {
    writeFileSync(file, Buffer.alloc(4096, 7));
    expect(take().state).toBe("held");
  });

  test.each([
    ["a text", () => writeFileSync(file, "something that somebody wrote")],
    [
      "a database with tables",
      () => {
        const db = new DatabaseSync(file);
        db.exec("CREATE TABLE kept (a)");
        db.close();
      },
    ],
  ])("is not taken where %s is, and that stays as it is", (_, make) => {
    make();
    const before = readFileSync(file);
    expect(take().state).toBe("foreign");
    expect(readFileSync(file)).toEqual(before);
  });

  test("is taken regardless of the contents of a file that only its owner can write", () => {
    writeFileSync(file, "something that somebody wrote");
    expect(take({ isPrivate: true }).state).toBe("held");
  });
});
