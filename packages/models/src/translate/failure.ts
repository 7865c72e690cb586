import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { textAt } from "../json.ts";
import { ModelError, type ModelErrorOptions } from "../model-error.ts";
import { readRetryAfter, readRetryText } from "./retry-after.ts";

/** A failure reported by a provider: the status and body of a response, or an error inside a stream. */
export interface ProviderFailure extends ModelErrorOptions {
  readonly status: number | undefined;
  readonly body: unknown;
  readonly headers?: Pick<Headers, "get"> | undefined;
}

/** The phrases that providers use for each error; the first match applies. */
const MEANINGS: readonly { readonly words: RegExp; readonly status: number; readonly type: string }[] = [
  {
    words:
      /context_length_exceeded|string_above_max_length|maximum context length|context (?:window|length|size)|too many tokens|prompt is too long|input (?:is|length|token).{0,40}(?:too long|exceed)|exceeds? the (?:available )?context/i,
    status: 400,
    type: "prompt_too_long",
  },
  {
    words:
      /insufficient_quota|insufficient (?:balance|credit|funds)|credit balance|billing|payment required|spending limit/i,
    status: 402,
    type: "billing_error",
  },
  {
    words:
      /overloaded|server_is_overloaded|at capacity|no (?:available )?capacity|engine is currently|model is loading|temporarily unavailable/i,
    status: 529,
    type: "overloaded_error",
  },
  {
    words: /rate.?limit|too many requests|resource_exhausted|quota/i,
    status: 429,
    type: "rate_limit_error",
  },
  {
    words: /invalid.api.key|incorrect api key|api key not valid|unauthorized|unauthenticated|authentication/i,
    status: 401,
    type: "authentication_error",
  },
  {
    words: /model_not_found|model .{0,80}(?:not found|does not exist)|no such model/i,
    status: 404,
    type: "not_found_error",
  },
];

/** The other meanings that a status may have; phrases with any other meaning are ignored. */
const POSSIBLE: Readonly<Record<number, readonly string[]>> = {
  400: ["prompt_too_long", "billing_error", "not_found_error", "authentication_error"],
  403: ["billing_error"],
  404: ["not_found_error"],
  413: ["prompt_too_long"],
  422: ["prompt_too_long"],
  429: ["billing_error", "overloaded_error"],
  498: ["overloaded_error"],
  500: ["prompt_too_long", "overloaded_error"],
  502: ["overloaded_error"],
  503: ["overloaded_error", "rate_limit_error"],
};

const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  408: "timeout_error",
  413: "request_too_large",
  422: "invalid_request_error",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** Converts a provider's failure to an error of the Messages API. */
export function failureOf({ status, body, headers, ...options }: ProviderFailure): ModelError {
  const said = saidIn(body);
  const clues = `${said.code ?? ""} ${said.type ?? ""} ${said.message}`;
  const own = status ?? said.status;
  const possible = own === undefined ? undefined : (POSSIBLE[own] ?? []);
  const meaning = MEANINGS.find(
    ({ words, type }) => (possible === undefined || possible.includes(type)) && words.test(clues),
  );
  const retryAfterMs = readRetryAfter(headers, Date.now()) ?? readRetryText(body);
  const more = { ...options, retryAfterMs };
  if (meaning?.type === "prompt_too_long")
    return new ModelError(400, "invalid_request_error", `prompt is too long: ${said.message}`, more);
  if (meaning)
    return new ModelError(meaning.status, meaning.type, said.message, {
      ...more,
      isFinal: options.isFinal || meaning.type === "billing_error",
    });
  // The server is starting, or a proxy reports it as busy.
  if (own === 503) return new ModelError(529, "overloaded_error", said.message, more);
  return new ModelError(own ?? 500, TYPES[own ?? 500] ?? "api_error", said.message, more);
}

interface Said {
  readonly message: string;
  readonly code: string | undefined;
  readonly type: string | undefined;
  readonly status: number | undefined;
}

const MAX_MESSAGE = 2000;

/** Finds the error: an object or string in `error`, a list of such objects, or the body itself. */
function saidIn(body: unknown): Said {
  const one = Array.isArray(body) ? body[0] : body;
  const outer: JsonObject = isJsonObject(one) ? one : {};
  const inner: JsonObject = isJsonObject(outer.error) ? outer.error : outer;
  const detail =
    textAt(outer, "detail") ?? (outer.detail === undefined ? undefined : JSON.stringify(outer.detail));
  const raw = textAt(isJsonObject(inner.metadata) ? inner.metadata : {}, "raw");
  const message =
    textAt(inner, "message") ??
    textAt(outer, "error") ??
    detail ??
    (typeof one === "string" && one !== "" ? one : "the provider gave no reason");
  const code = inner.code ?? outer.code;
  return {
    message: (raw === undefined ? message : `${message}: ${raw}`).slice(0, MAX_MESSAGE),
    code: typeof code === "string" ? code : undefined,
    type: textAt(inner, "type") ?? textAt(inner, "status"),
    status: typeof code === "number" && code >= 400 && code < 600 ? code : undefined,
  };
}
