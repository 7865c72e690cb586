import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { computingMs } from "../../../../test/computing-time.ts";
import { checkServer } from "../../src/mcp/config/check.ts";
import { expand, type McpSources, readMcpConfig } from "../../src/mcp/config/config.ts";
import { freshFolder } from "./session.ts";

const flag = (servers: unknown) => JSON.stringify({ mcpServers: servers });

/** A variable as written in a file. */
const variable = (inside: string) => `\${${inside}}`;

async function read(sources: Partial<McpSources>) {
  return await readMcpConfig({ given: [], strict: false, cwd: await freshFolder(), env: {}, ...sources });
}

describe("the configuration of servers", () => {
  test("combines user, project and flags, with later sources taking precedence", async () => {
    const cwd = await freshFolder();
    const userFile = join(cwd, "user.json");
    const server = (command: string) => ({ command });
    await writeFile(
      join(cwd, ".mcp.json"),
      flag({ p: server("p"), banned: server("x"), both: server("project") }),
    );
    await writeFile(
      userFile,
      JSON.stringify({
        mcpServers: { u: server("u"), both: server("user") },
        projects: { [cwd]: { mcpServers: { l: server("l") } } },
      }),
    );
    await writeFile(join(cwd, "more.json"), flag({ f: server("file"), j: server("file") }));
    const sources = {
      cwd,
      userFile,
      project: { isTrusted: true, without: ["banned"] },
      given: ["more.json", flag({ j: { type: "sdk", name: "j" } })],
    };
    const config = await read(sources);
    expect(config).toEqual({
      servers: {
        u: { type: "stdio", command: "u" },
        both: { type: "stdio", command: "project" },
        p: { type: "stdio", command: "p" },
        l: { type: "stdio", command: "l" },
        f: { type: "stdio", command: "file" },
        j: { type: "sdk", name: "j" },
      },
      scopes: { u: "user", both: "project", p: "project", l: "local", f: "dynamic", j: "dynamic" },
      problems: [],
      withheld: [],
    });
    expect(Object.keys((await read({ ...sources, strict: true })).servers)).toEqual(["f", "j"]);
  });

  test("may be missing, unless a flag names the file", async () => {
    expect(await read({ project: { isTrusted: true, without: [] }, userFile: "/no/such/file" })).toEqual({
      servers: {},
      scopes: {},
      problems: [],
      withheld: [],
    });
    const { problems } = await read({ given: ["gone.json", "{", "{}"] });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^it is not JSON: /),
      "the mcpServers object is missing",
      "there is no such file",
    ]);
  });

  test("of one invalid server does not affect the others", async () => {
    const { servers, problems } = await read({
      given: [flag({ good: { command: "x" }, bad: 7, worse: { type: "http" } })],
    });
    expect(Object.keys(servers)).toEqual(["good"]);
    expect(problems).toEqual([
      { where: "bad", message: "it is not an object" },
      { where: "worse", message: "url must be a URL" },
    ]);
  });

  test("expands variables from the environment and reports missing ones", async () => {
    const { servers, problems } = await read({
      env: { HOST: "example.org" },
      given: [
        flag({
          s: { type: "http", url: `http://${variable("HOST")}/`, headers: { auth: variable("TOKEN") } },
        }),
      ],
    });
    expect(servers.s).toMatchObject({ url: "http://example.org/", headers: { auth: variable("TOKEN") } });
    expect(problems).toEqual([{ where: "s", message: "not set in the environment: TOKEN" }]);
  });
});

describe("a variable in a configuration", () => {
  test.each([
    [variable("A"), "1"],
    [`x${variable("A")}y${variable("A")}`, "x1y1"],
    [variable("B:-two"), "two"],
    [variable("B:-"), ""],
    [variable("A:-two"), "1"],
    [variable("EMPTY"), ""],
    [variable("B"), variable("B")],
    ["$A", "$A"],
    [variable("toString"), variable("toString")],
    ["${A", "${A"],
  ])("%s becomes %s", (written, expected) => {
    const { config } = expand(
      { command: written, args: [written, 1], env: { K: written }, name: written },
      { A: "1", EMPTY: "" },
    );
    expect(config).toEqual({ command: expected, args: [expected, 1], env: { K: expected }, name: written });
  });

  test("that is never closed is processed in linear time", () => {
    const started = computingMs();
    expand({ command: "${A:-".repeat(100_000) }, {});
    expect(computingMs() - started).toBeLessThan(10_000);
  });
});

test.each([
  [{}, "command must be a text"],
  [{ url: "http://x" }, 'it has a url but no type: say "http" or "sse"'],
  [{ command: "" }, "command must be a text"],
  [{ command: "x", args: ["y", 1] }, "args must be a list of strings"],
  [{ command: "x", env: { A: 1 } }, "env must be an object of strings"],
  [{ command: "x", timeout: "1" }, "timeout must be a number of milliseconds"],
  [{ type: "sse", url: "here" }, "url must be a URL"],
  [{ type: "http", url: "http://x", headers: [] }, "headers must be an object of strings"],
  [{ type: "sdk" }, "name must be a text"],
  [{ type: "ws" }, 'type "ws" is not one of stdio, http, sse, sdk'],
])("of %j has the problem: %s", (config, problem) => {
  expect(checkServer(config)).toBe(problem);
});
