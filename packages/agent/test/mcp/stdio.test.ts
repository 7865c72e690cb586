import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { call, eventually, find, isAlive, keepingLog, never, newServers, program } from "./session.ts";

describe("a server that is a program", () => {
  test("is pending at first, then connected with its tools", async () => {
    const { servers } = await newServers();
    servers.start({ files: program() }, { files: "project" });
    expect(servers.status()).toMatchObject([{ name: "files", status: "pending", scope: "project" }]);
    await servers.settled(never);
    const [status] = servers.status();
    expect(status).toMatchObject({
      name: "files",
      status: "connected",
      serverInfo: { name: "test server", version: "1.2.3" },
      config: { type: "stdio", command: process.execPath },
      scope: "project",
      source: "project",
    });
    expect(status?.tools?.[0]).toEqual({
      name: "echo",
      description: "About echo.",
      annotations: { readOnly: true, destructive: false },
    });
  });

  test("gives its tools valid names, across all pages", async () => {
    const { servers } = await newServers();
    servers.start({ "my files": program() });
    await servers.settled(never);
    const names = servers.tools().map(({ name }) => name);
    expect(names).toContain("mcp__my_files__echo");
    expect(names).toContain("mcp__my_files__odd_name_");
    expect(names.every((name) => /^[A-Za-z0-9_-]{1,128}$/.test(name))).toBe(true);
    const odd = find(servers, "mcp__my_files__odd_name_");
    expect(odd.inputSchema).toEqual({ type: "object", properties: {} });
    expect(odd.mcp).toEqual({
      server: "my files",
      source: "dynamic",
      tool: "odd name!",
      displayName: "Odd",
      alwaysLoad: false,
    });
    expect(odd.isReadOnly({})).toBe(false);
    expect(find(servers, "mcp__my_files__echo").isReadOnly({})).toBe(true);
  });

  test("runs in the session's folder with additional environment variables", async () => {
    const { servers, cwd } = await newServers();
    servers.start({ s: program("good", { GREETING: "hi" }) });
    await servers.settled(never);
    const content = [{ type: "text", text: `echo: yo from ${cwd} with hi` }];
    expect(await call(servers, "mcp__s__echo", { text: "yo" })).toEqual({ content, data: content });
  });

  test("may write other text between its messages", async () => {
    const { servers } = await newServers();
    servers.start({ s: program("noisy") });
    await servers.settled(never);
    expect(servers.status()).toMatchObject([{ status: "connected" }]);
  });

  test.each([
    ["broken", /exited with code 3: no database here/],
    ["dies-after-handshake", /exited with code 1/],
    ["silent", /no answer within 300 ms/],
  ])("that is %s fails and does not delay the others", async (mode, error) => {
    const { servers } = await newServers({ connectTimeoutMs: mode === "silent" ? 300 : 10_000 });
    servers.start({ bad: program(mode) });
    await servers.settled(never);
    expect(servers.status()).toMatchObject([{ status: "failed", error: expect.stringMatching(error) }]);
    expect(servers.tools()).toEqual([]);
  });

  test("that can't be started fails", async () => {
    const { servers } = await newServers();
    servers.start({ gone: { type: "stdio", command: "/no/such/program" }, good: program() });
    await servers.settled(never);
    expect(servers.status()).toMatchObject([
      { name: "gone", status: "failed", error: expect.stringContaining("ENOENT") },
      { name: "good", status: "connected" },
    ]);
  });

  test("is ended with its whole process group, even if it ignores SIGTERM", async () => {
    const { servers } = await newServers();
    servers.start({ s: program("stubborn") });
    await servers.settled(never);
    const outcome = await call(servers, "mcp__s__pids");
    const [{ text }] = outcome.content as unknown as [{ text: string }];
    const pids: number[] = JSON.parse(text);
    expect(pids.map(isAlive)).toEqual([true, true]);
    await servers.close();
    await eventually(() => !pids.some(isAlive), "all processes ended");
    expect(servers.status()).toEqual([]);
  });

  test("is ended even during its handshake", async () => {
    const { servers } = await newServers();
    servers.start({ s: program("silent") });
    const settled = servers.settled(never);
    await servers.close();
    await settled;
    expect(servers.status()).toEqual([]);
  });

  test("is notified of a cancelled call, but not of one that has ended", async () => {
    const { log, texts } = keepingLog();
    const { servers } = await newServers({ log });
    servers.start({ s: program() });
    await servers.settled(never);
    const interrupt = new AbortController();
    await call(servers, "mcp__s__echo", {}, { signal: interrupt.signal });
    const waiting = call(servers, "mcp__s__wait", {}, { signal: interrupt.signal });
    interrupt.abort(new Error("interrupted"));
    await expect(waiting).rejects.toThrow("interrupted");
    await eventually(() => texts.some((text) => text.includes("cancelled true")), "the server was notified");
    await call(servers, "mcp__s__echo");
    expect(texts.filter((text) => text.includes("cancelled"))).toHaveLength(1);
  });

  test("has a time limit for each call", async () => {
    const { servers } = await newServers({ toolTimeoutMs: 50 });
    servers.start({ s: program(), patient: { ...program(), timeout: 60 } });
    await servers.settled(never);
    await expect(call(servers, "mcp__s__wait")).rejects.toThrow(/no answer within 50 ms/);
    await expect(call(servers, "mcp__patient__wait")).rejects.toThrow(/no answer within 60 ms/);
    expect(servers.status()).toMatchObject([{ status: "connected" }, { status: "connected" }]);
  });

  test("may change its tools", async () => {
    let changes = 0;
    const { servers } = await newServers({ onToolsChanged: () => changes++ });
    servers.start({ s: program() });
    await servers.settled(never);
    expect(changes).toBe(1);
    await call(servers, "mcp__s__grow");
    await eventually(() => changes === 2, "the change was reported");
    expect(find(servers, "mcp__s__grown").name).toBe("mcp__s__grown");
  });

  test("may ask the user a question", async () => {
    const questions: unknown[] = [];
    const done: unknown[] = [];
    const { servers } = await newServers({
      onElicitationComplete: (server, id) => void done.push([server, id]),
      onElicitation: async (question) => {
        questions.push(question);
        return { action: "accept", content: { name: "Ada" } };
      },
    });
    servers.start({ s: program() });
    await servers.settled(never);
    const content = [{ type: "text", text: '{"action":"accept","content":{"name":"Ada"}}' }];
    expect(await call(servers, "mcp__s__ask")).toMatchObject({ content });
    expect(done).toEqual([["s", "e1"]]);
    expect(questions).toEqual([
      { mcp_server_name: "s", message: "Who?", mode: "form", requested_schema: { type: "object" } },
    ]);
  });

  test.each([
    ["declined if no one answers", {}, "decline"],
    ["cancelled if answering fails", { onElicitation: () => Promise.reject(new Error("no")) }, "cancel"],
  ])("has its question %s", async (_, options, action) => {
    const { servers } = await newServers(options);
    servers.start({ s: program() });
    await servers.settled(never);
    expect(await call(servers, "mcp__s__ask")).toMatchObject({
      content: [{ text: `{"action":"${action}"}` }],
    });
  });
});

describe("the result of a tool", () => {
  test("is an error with its text if the tool failed", async () => {
    const { servers } = await newServers();
    servers.start({ s: program() });
    await servers.settled(never);
    expect(await call(servers, "mcp__s__fail")).toEqual({ content: "boom", isError: true });
  });

  test("is written to a file if it is too long", async () => {
    const { servers, cwd } = await newServers();
    servers.start({ s: program() });
    await servers.settled(never);
    const outputFolder = join(cwd, "out");
    const { content, data } = await call(servers, "mcp__s__huge", {}, { outputFolder });
    const [{ text }] = content as unknown as [{ text: string }];
    const path = join(outputFolder, "mcp-s-huge-toolu_1.txt");
    expect(text).toContain(path);
    expect(text.length).toBeLessThan(5_000);
    expect(data).toEqual(content);
    expect(await readFile(path, "utf8")).toBe("y".repeat(150_000));
  });

  test("fails the call if it exceeds the limit for a line, and the next call works", async () => {
    const { servers } = await newServers();
    servers.start({ s: program() });
    await servers.settled(never);
    await expect(call(servers, "mcp__s__endless", {})).rejects.toThrow(
      /a line of \d+ bytes that can't be read \(too_long\)/,
    );
    expect(JSON.stringify(await call(servers, "mcp__s__echo", { text: "still" }))).toContain("echo: still");
  });

  test("may contain images, audio, resources and unknown content", async () => {
    const { servers, cwd } = await newServers();
    servers.start({ s: program() });
    await servers.settled(never);
    const { content } = await call(servers, "mcp__s__media", {}, { outputFolder: cwd });
    const first = join(cwd, "mcp-s-media-toolu_1.svg");
    const second = join(cwd, "mcp-s-media-toolu_1-2.wav");
    expect(content).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
      { type: "text", text: `The picture (image/svg+xml, 8 bytes) was saved to ${first}` },
      { type: "text", text: "The picture came without readable data." },
      { type: "text", text: `The sound (audio/wav, 8 bytes) was saved to ${second}` },
      { type: "text", text: "[Resource of s at note://1] a note" },
      { type: "text", text: "[Resource of s: two at note://2]" },
      { type: "text", text: '{"type":"hologram","depth":3}' },
    ]);
    expect((await readFile(second)).toString("base64")).toBe("iVBORw0KGgo=");
  });

  test.each([
    [
      "structured",
      { content: '{"answer":42}', data: { content: '{"answer":42}', structuredContent: { answer: 42 } } },
    ],
    ["nothing", { content: [{ type: "text", text: "The tool ended without a result." }] }],
  ])("has a text even if it is %s", async (name, outcome) => {
    const { servers } = await newServers();
    servers.start({ s: program() });
    await servers.settled(never);
    expect(await call(servers, `mcp__s__${name}`)).toMatchObject(outcome);
  });
});

describe("resources and prompts", () => {
  test("can be listed and read with tools", async () => {
    const { servers, cwd } = await newServers();
    servers.start({ s: program() });
    await servers.settled(never);
    const listed = [{ uri: "note://1", name: "one", mimeType: "text/plain", server: "s" }];
    expect(await call(servers, "ListMcpResourcesTool")).toEqual({
      content: JSON.stringify(listed),
      data: listed,
    });
    expect(await call(servers, "ReadMcpResourceTool", { server: "s", uri: "note://1" })).toMatchObject({
      data: { contents: [{ uri: "note://1", mimeType: "text/plain", text: "a note" }] },
    });
    const input = { server: "s", uri: "note://bytes" };
    const path = join(cwd, "mcp-resource-toolu_1.jpg");
    expect(await call(servers, "ReadMcpResourceTool", input, { outputFolder: cwd })).toMatchObject({
      data: { contents: [{ blobSavedTo: path }] },
    });
    expect(await readFile(path)).toHaveLength(8);
    await expect(call(servers, "ReadMcpResourceTool", { server: "t", uri: "x" })).rejects.toThrow(
      /No MCP server named t/,
    );
    expect(await servers.readResource("s", "note://bytes")).toEqual({
      contents: [{ uri: "note://bytes", mimeType: "image/jpeg", blob: "iVBORw0KGgo=" }],
    });
  });

  test("are available as slash commands with arguments", async () => {
    const { servers } = await newServers();
    servers.start({ s: program() });
    await servers.settled(never);
    const [prompt] = servers.prompts();
    expect(prompt).toMatchObject({
      name: "mcp__s__greet",
      description: "Greets.",
      argumentHint: "<who> [how]",
    });
    const keep = async () => "";
    expect(await prompt?.messages("Ada  very kindly", keep, never)).toEqual([
      { role: "user", content: [{ type: "text", text: '{"who":"Ada","how":"very kindly"}' }] },
    ]);
  });
});
