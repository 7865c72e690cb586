import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { agentOf, installVersions, NATIVE, NEWEST } from "./install.ts";
import { runTalk } from "./talk.ts";

const GUIDE = readFileSync(new URL("../../docs/guides/host.md", import.meta.url), "utf8");

const VERSIONS = {
  "1.0.22": "claude-1.0.22",
  "1.0.128": "claude-1.0.128",
  "2.0.77": "claude-2.0.77",
  "2.1.325": NATIVE,
  "2.1.328": NEWEST,
};

type Outcome = Readonly<Record<string, string>>;

/** The columns of the guide's table of features by version. */
function tableOf(guide: string): Readonly<Record<string, Outcome>> {
  const cells = (line: string) => line.split("|").map((cell) => cell.trim());
  const lines = guide.split("\n");
  const head = lines.findIndex((line) => line.startsWith(`| | ${Object.keys(VERSIONS)[0]} |`));
  const rows = lines.slice(head + 2, lines.indexOf("", head)).map(cells);
  return Object.fromEntries(
    cells(lines[head] ?? "")
      .slice(2, -1)
      .map((version, column) => [
        version,
        Object.fromEntries(rows.map((row) => [row[1], row[column + 2] ?? ""])),
      ]),
  );
}

/** The table cell for an outcome. A refusal names the version required; anything else that failed is a fault. */
function cellOf(outcome: string): string {
  if (outcome === "works") return "yes";
  const [, needs] =
    /^unsupported_(?:option|request): .* needs an agent of (\S+) or later/.exec(outcome) ?? [];
  return needs ? `from ${needs}` : outcome;
}

// Published agents only ever run without a network except the loopback interface. If they can't, these tests fail.
describe("query() and openSession() drive published agents", { timeout: 480_000 }, () => {
  beforeAll(installVersions, 600_000);

  test.concurrent.each(Object.entries(VERSIONS))(
    "%s supports what the guide's table says, and names the version required for the rest",
    async (version, name) => {
      const seen = (await runTalk("host-talk.mjs", await agentOf(name))) as {
        version: string;
        outcome: Outcome;
      };
      expect(seen.version).toBe(`${version} (Claude Code)`);
      const cells = Object.entries(seen.outcome).map(([feature, outcome]) => [feature, cellOf(outcome)]);
      expect(Object.fromEntries(cells)).toEqual(tableOf(GUIDE)[version]);
    },
  );
});
