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
  test("has one holder at a time, and is free after its release", () => {
    expect(take().state).toBe("held");
    expect(take()).toMatchObject({ state: "busy", holder: undefined });
    release.pop()?.();
    expect(take().state).toBe("held");
  });

  test("reports its holder if the holder recorded a number", () => {
    take({ holder: 4711 });
    expect(take({ holder: 4712 })).toMatchObject({ state: "busy", holder: 4711 });
  });

  test("is also busy if it is held in the stricter way of earlier daemons", () => {
    const former = new DatabaseSync(file, { timeout: 0 });
    release.push(() => former.close());
    former.exec("BEGIN EXCLUSIVE");
    expect(take()).toMatchObject({ state: "busy" });
  });

  test("is accessible only to its owner, and needs no disk space without a number", () => {
    take();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(file).size).toBe(0);
  });

  test("that was damaged by a power failure can be taken", () => {
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
  ])("is not taken if the file is %s, which stays unchanged", (_, make) => {
    make();
    const before = readFileSync(file);
    expect(take().state).toBe("foreign");
    expect(readFileSync(file)).toEqual(before);
  });

  test("is taken regardless of the file's content if only its owner can write it", () => {
    writeFileSync(file, "something that somebody wrote");
    expect(take({ isPrivate: true }).state).toBe("held");
  });
});
