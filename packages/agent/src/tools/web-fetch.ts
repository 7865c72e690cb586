import type { JsonObject } from "@agentwire/protocol";
import { errorMessage } from "@agentwire/protocol/support";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";
import type { Fetched, Page } from "./web/fetch-page.ts";
import { PageCache } from "./web/page-cache.ts";

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const MAX_SHOWN = 30_000;
const MAX_SUMMARISED = 100_000;
const MAX_KEPT = 1_000_000;

/** Answers a prompt about a text, with a small model. */
export type Summarise = (text: string, prompt: string, signal: AbortSignal) => Promise<string>;

/** The tool that reads a web page. Without `summarise` the model gets the text itself. */
export function webFetchTool({ summarise }: { readonly summarise?: Summarise } = {}): Tool {
  const cache = new PageCache();
  return {
    name: "WebFetch",
    description:
      "Fetches a page of the web as text and answers a prompt about it. http becomes https, except on this machine. " +
      "A redirect to another host is not followed: call again with the address you are told. Long pages: use offset.",
    inputSchema: {
      type: "object",
      properties: {
        url: { type: "string", format: "uri", description: "The address of the page" },
        prompt: { type: "string", description: "What you want to know from the page" },
        offset: { type: "number", minimum: 0, description: "How many characters of the page's text to skip" },
      },
      required: ["url", "prompt"],
      additionalProperties: false,
    },
    isReadOnly: () => true,
    describe: ({ url }) => `Fetch ${String(url)}`,
    run: (input, context) => run(input, context, cache, summarise),
  };
}

async function run(
  input: JsonObject,
  { signal }: ToolContext,
  cache: PageCache,
  summarise: Summarise | undefined,
): Promise<ToolOutcome> {
  const started = performance.now();
  const fetched = await fetchCached(String(input.url), signal, cache);
  const durationMs = () => Math.round(performance.now() - started);
  if (fetched.type === "elsewhere") {
    const { status, statusText, body } = fetched.answer;
    const result = `The page has moved to another host: ${fetched.url} (${status} ${statusText}). Fetch that address if you want it.`;
    const data = {
      bytes: body.length,
      code: status,
      codeText: statusText,
      result,
      durationMs: durationMs(),
      url: input.url,
    };
    return { content: result, data };
  }
  const { page } = fetched;
  if (page.status >= 400) {
    const beginning = page.text.slice(0, 500);
    return {
      content: `${page.url} answered ${page.status} ${page.statusText}\n${beginning}`.trimEnd(),
      isError: true,
    };
  }
  const offset = typeof input.offset === "number" ? Math.max(0, Math.floor(input.offset)) : 0;
  const result = summarise
    ? await summarise(pieceOf(page.text, offset, MAX_SUMMARISED), String(input.prompt), signal)
    : pieceOf(page.text, offset, MAX_SHOWN);
  const { bytes, status, statusText } = page;
  const data = {
    bytes,
    code: status,
    codeText: statusText,
    result,
    durationMs: durationMs(),
    url: input.url,
  };
  return { content: result === "" ? "[The page has no text]" : result, data };
}

async function fetchCached(address: string, signal: AbortSignal, cache: PageCache): Promise<Fetched> {
  const cached = cache.get(address, Date.now());
  if (cached) return { type: "page", page: cached };
  const { checkUrl, fetchPage } = await import("./web/fetch-page.ts");
  const fetched = await attempt(() =>
    fetchPage(checkUrl(address), { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal }),
  );
  signal.throwIfAborted();
  if (fetched.type === "elsewhere") return fetched;
  const page: Page = { ...fetched.page, text: fetched.page.text.slice(0, MAX_KEPT) };
  if (page.status < 400) cache.set(address, page, Date.now());
  return { type: "page", page };

  async function attempt<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      signal.throwIfAborted();
      const reason = errorMessage(error);
      throw new Error(`${address} could not be fetched: ${reason}`, { cause: error });
    }
  }
}

function pieceOf(text: string, offset: number, length: number): string {
  const piece = text.slice(offset, offset + length);
  const rest = text.length - offset - piece.length;
  return rest > 0 ? `${piece}\n[${rest} more characters: continue with offset ${offset + length}]` : piece;
}
