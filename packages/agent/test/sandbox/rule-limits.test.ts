import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRule } from "@agentwire/protocol/permission";
import { expect, onTestFinished, test } from "vitest";
import { ruleLimits } from "../../src/sandbox/rule-limits.ts";

function project(...files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-limits-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of files) {
    mkdirSync(join(folder, file, ".."), { recursive: true });
    writeFileSync(join(folder, file), "");
  }
  return folder;
}

const rules = (behavior: "allow" | "deny", ...texts: readonly string[]) =>
  texts.map((text) => {
    const reading = parseRule(text);
    if (!reading.ok) throw new Error(text);
    return { behavior, rule: reading.rule };
  });

test("files that Read rules deny can't be read; wildcards are passed to the runtime", async () => {
  const cwd = project();
  const denied = rules(
    "deny",
    "Read(./.env)",
    "Read(~/.ssh/**)",
    "Read(//etc/secret)",
    "Read(*.pem)",
    "Read",
  );
  expect((await ruleLimits(denied, { cwd, home: "/home/me" })).denyRead).toEqual([
    join(cwd, ".env"),
    "/home/me/.ssh",
    "/etc/secret",
    join(cwd, "**/*.pem"),
  ]);
});

test("files that Edit rules deny can't be written; wildcards are expanded to names", async () => {
  const cwd = project("a.lock", "sub/b.lock", "sub/c.txt");
  const { denyWrite } = await ruleLimits(rules("deny", "Edit(*.lock)", "Edit(./made/**)"), {
    cwd,
    home: "/",
  });
  expect([...denyWrite].sort()).toEqual([join(cwd, "a.lock"), join(cwd, "made"), join(cwd, "sub/b.lock")]);
});

test("files that Edit rules allow may be written, and rules for domains apply", async () => {
  const cwd = project();
  const given = [
    ...rules("allow", "Edit(//srv/out/**)", "WebFetch(domain:a.com)"),
    ...rules("deny", "WebFetch(domain:b.com)"),
  ];
  expect(await ruleLimits(given, { cwd, home: "/" })).toMatchObject({
    allowWrite: ["/srv/out"],
    allowedDomains: ["a.com"],
    deniedDomains: ["b.com"],
  });
});
