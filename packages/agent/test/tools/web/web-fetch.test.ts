import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { fetchPage } from "../../../src/tools/web/fetch-page.ts";
import { webFetchTool } from "../../../src/tools/web-fetch.ts";
import { webSearchDeclaration, webSearchTool } from "../../../src/tools/web-search.ts";
import { newWorkbench } from "../bash/workbench.ts";
import { serve } from "./server.ts";

const { signal } = new AbortController();
const limits = { maxBytes: 1000, timeoutMs: 10_000, signal };

describe("WebFetch", () => {
  test("a page is converted to text, with data about the response for the host", async () => {
    const { call } = await newWorkbench();
    const html = "<title>T</title><h1>Hi</h1><p>a <a href='/b'>link</a></p>";
    const url = await serve((_, response) => response.setHeader("content-type", "text/html").end(html));
    const { content, data } = await call(webFetchTool(), { url, prompt: "what" });
    expect(content).toBe(`T\n\n# Hi\n\na [link](${url}/b)`);
    expect(data).toEqual({
      bytes: html.length,
      code: 200,
      codeText: "OK",
      result: content,
      durationMs: expect.any(Number),
      url,
    });
  });

  test("a small model answers the prompt if there is one", async () => {
    const { call } = await newWorkbench();
    const url = await serve((_, response) => response.end("text"));
    const summarise = async (text: string, prompt: string) => `${prompt}: ${text}`;
    expect(await call(webFetchTool({ summarise }), { url, prompt: "p" })).toMatchObject({
      content: "p: text",
      data: { result: "p: text" },
    });
  });

  test("a page is cached for a while, but a failure is not", async () => {
    const { call } = await newWorkbench();
    let count = 0;
    const url = await serve(({ url: path }, response) => {
      response.statusCode = path === "/bad" ? 500 : 200;
      response.end(String(++count));
    });
    const tool = webFetchTool();
    for (const _ of [1, 2]) expect(await call(tool, { url, prompt: "" })).toMatchObject({ content: "1" });
    for (const _ of [1, 2])
      expect(await call(tool, { url: `${url}/bad`, prompt: "" })).toMatchObject({ isError: true });
    expect(count).toBe(3);
  });

  test("a long page is truncated, and offset continues it", async () => {
    const { call } = await newWorkbench();
    const url = await serve((_, response) => response.end(`${"x".repeat(30_000)}rest`));
    const tool = webFetchTool();
    const first = await call(tool, { url, prompt: "" });
    expect(first.content).toMatch(/x\n\[4 more characters: continue with offset 30000\]$/);
    expect(await call(tool, { url, prompt: "", offset: 30_000 })).toMatchObject({ content: "rest" });
  });

  test("a redirect within the host is followed, and one to another host is reported", async () => {
    const { call } = await newWorkbench();
    const url = await serve(({ url: path }, response) => {
      if (path === "/a") response.writeHead(302, { location: "/b" }).end();
      else if (path === "/c") response.writeHead(301, { location: "https://elsewhere.example/x" }).end();
      else if (path === "/loop") response.writeHead(307, { location: "/loop" }).end();
      else if (path === "/file") response.writeHead(302, { location: "file:///etc/passwd" }).end();
      else response.end("here");
    });
    const tool = webFetchTool();
    expect(await call(tool, { url: `${url}/a`, prompt: "" })).toMatchObject({ content: "here" });
    const moved = await call(tool, { url: `${url}/c`, prompt: "" });
    expect(moved.content).toContain("https://elsewhere.example/x");
    expect(moved.data).toMatchObject({ code: 301, codeText: "Moved Permanently" });
    await expect(call(tool, { url: `${url}/loop`, prompt: "" })).rejects.toThrow("redirects");
    await expect(call(tool, { url: `${url}/file`, prompt: "" })).rejects.toThrow("only http");
  });

  test("an error status is an error that contains the start of the page", async () => {
    const { call } = await newWorkbench();
    const url = await serve((_, response) => response.writeHead(404).end("nothing here"));
    expect(await call(webFetchTool(), { url, prompt: "" })).toEqual({
      content: `${url}/ answered 404 Not Found\nnothing here`,
      isError: true,
    });
  });

  test.each([
    "file:///etc/passwd",
    "ftp://example.com/",
    "not a url",
    "http://user:secret@127.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://[::ffff:169.254.169.254]/",
    "http://[fe80::1]/",
    "http://0.0.0.0/",
    "http://metadata.google.internal/",
  ])("%s is refused", async (url) => {
    const { call } = await newWorkbench();
    await expect(call(webFetchTool(), { url, prompt: "" })).rejects.toThrow(
      /not a URL|only http|not fetched/,
    );
  });

  test("a file that is not text is only described", async () => {
    const { call } = await newWorkbench();
    const url = await serve((_, response) => response.end(Buffer.from([1, 0, 2])));
    expect(await call(webFetchTool(), { url, prompt: "" })).toMatchObject({
      content: "[binary data, 3 bytes: not text]",
    });
  });

  test("an interrupt ends a fetch", async () => {
    const { call } = await newWorkbench();
    const interrupt = new AbortController();
    const url = await serve(() => interrupt.abort(new Error("interrupted")));
    await expect(call(webFetchTool(), { url, prompt: "" }, interrupt.signal)).rejects.toThrow("interrupted");
  });
});

describe("limits of a fetch", () => {
  test.each([
    ["plain", (text: string) => Buffer.from(text), undefined],
    ["packed", (text: string) => gzipSync(text), "gzip"],
  ])("a %s response that is too long is refused", async (_, pack, encoding) => {
    const url = await serve(({ url: path }, response) => {
      if (encoding) response.setHeader("content-encoding", encoding);
      response.end(pack("x".repeat(path === "/long" ? 1001 : 1000)));
    });
    const short = await fetchPage(new URL(url), limits);
    expect(short).toMatchObject({ page: { bytes: 1000, text: "x".repeat(1000) } });
    await expect(fetchPage(new URL(`${url}/long`), limits)).rejects.toThrow("longer than");
  });

  test.each(["no answer", "half an answer"])("%s in time is an error", async (kind) => {
    const url = await serve((_, response) => {
      if (kind === "half an answer") response.write("x");
    });
    await expect(fetchPage(new URL(url), { ...limits, timeoutMs: 100 })).rejects.toThrow("within 0.1 s");
  });

  test("an invalid compressed response is an error", async () => {
    const url = await serve((_, response) => response.setHeader("content-encoding", "gzip").end("not gzip"));
    await expect(fetchPage(new URL(url), limits)).rejects.toThrow();
  });

  test("the response's charset is used", async () => {
    const url = await serve((_, response) =>
      response.setHeader("content-type", "text/plain; charset=ISO-8859-1").end(Buffer.from([0xe4])),
    );
    expect(await fetchPage(new URL(url), limits)).toMatchObject({ page: { text: "ä" } });
  });
});

describe("WebSearch", () => {
  test("is passed to the provider and runs nothing here", async () => {
    const { call } = await newWorkbench();
    expect(webSearchDeclaration).toEqual({ type: "web_search_20250305", name: "web_search", max_uses: 8 });
    expect(await call(webSearchTool(), { query: "x" })).toMatchObject({ isError: true });
  });
});
