import { type Quirks, USUAL_QUIRKS, type Wire } from "./provider.ts";

/** A provider that needs only its usual variable. */
export interface WellKnown {
  readonly wire: Wire;
  readonly baseUrl: string;
  /** The variables that may hold its key, in order; a server on this machine needs none. */
  readonly keys: readonly string[];
  /** The variable that holds its address, if there is one. */
  readonly address?: { readonly variable: string; toBaseUrl(value: string): string };
  /** Whether it runs on this machine and needs no key. */
  readonly isLocal: boolean;
  readonly quirks: Quirks;
}

const service = (
  wire: Wire,
  baseUrl: string,
  keys: readonly string[],
  quirks: Partial<Quirks> = {},
): WellKnown => ({
  wire,
  baseUrl,
  keys,
  isLocal: false,
  quirks: { ...USUAL_QUIRKS, ...quirks },
});

const local = (port: number, variable: string, keys: readonly string[] = []): WellKnown => ({
  wire: "chat",
  baseUrl: `http://127.0.0.1:${port}/v1`,
  keys,
  address: { variable, toBaseUrl: (value) => `${addressOf(value, port)}/v1` },
  isLocal: true,
  quirks: { ...USUAL_QUIRKS, schemas: "plain" },
});

/** `OLLAMA_HOST` and similar variables may hold a host, a port, both, or a URL, with or without `/v1`. */
function addressOf(value: string, port: number): string {
  const whole = value.trim().replace(/\/+$/, "").replace(/\/v1$/, "");
  if (/^https?:\/\//.test(whole)) return whole;
  const [, host = "", own] = /^(.*?)(?::(\d+))?$/.exec(whole) ?? [];
  // A server that listens on all interfaces is reached on loopback.
  const reached = host === "" || host === "0.0.0.0" ? "127.0.0.1" : host;
  return `http://${reached}:${own ?? port}`;
}

const openai = service("responses", "https://api.openai.com/v1", ["OPENAI_API_KEY"], {
  maxTokens: "max_completion_tokens",
});

/** Providers by the name before the slash. */
export const WELL_KNOWN: ReadonlyMap<string, WellKnown> = new Map([
  ["openai", { ...openai, address: { variable: "OPENAI_BASE_URL", toBaseUrl: (value) => value } }],
  [
    "azure",
    {
      ...openai,
      baseUrl: "",
      keys: ["AZURE_OPENAI_API_KEY"],
      address: {
        variable: "AZURE_OPENAI_ENDPOINT",
        toBaseUrl: (value) => `${value.replace(/\/+$/, "").replace(/\/openai(\/v1)?$/, "")}/openai/v1`,
      },
      quirks: { ...openai.quirks, auth: "api-key" },
    },
  ],
  [
    "gemini",
    service(
      "chat",
      "https://generativelanguage.googleapis.com/v1beta/openai",
      ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
      { schemas: "plain", thoughtSignatures: true },
    ),
  ],
  [
    "openrouter",
    service("chat", "https://openrouter.ai/api/v1", ["OPENROUTER_API_KEY"], {
      cacheMarks: true,
      effort: "reasoning",
    }),
  ],
  ["deepseek", service("chat", "https://api.deepseek.com/v1", ["DEEPSEEK_API_KEY"])],
  ["groq", service("chat", "https://api.groq.com/openai/v1", ["GROQ_API_KEY"])],
  [
    "mistral",
    service("chat", "https://api.mistral.ai/v1", ["MISTRAL_API_KEY"], {
      toolIds: "nine",
      asksForUsage: false,
    }),
  ],
  ["xai", service("chat", "https://api.x.ai/v1", ["XAI_API_KEY"])],
  ["ollama", local(11434, "OLLAMA_HOST")],
  ["lmstudio", local(1234, "LMSTUDIO_BASE_URL", ["LMSTUDIO_API_KEY"])],
  ["vllm", local(8000, "VLLM_BASE_URL", ["VLLM_API_KEY"])],
  ["llamacpp", local(8080, "LLAMACPP_BASE_URL", ["LLAMA_API_KEY"])],
]);
