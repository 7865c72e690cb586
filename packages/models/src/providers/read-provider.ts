import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { parseUrl } from "@agentwire/protocol/support";
import { proxyFor } from "../http/proxy.ts";
import { textAt } from "../json.ts";
import { type ModelFacts, type Prices, type Provider, USUAL_QUIRKS, type Wire } from "./provider.ts";
import { WELL_KNOWN } from "./well-known.ts";

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

const WIRES: readonly string[] = ["chat", "responses", "messages"] satisfies readonly Wire[];

/** Reads a provider's description in the settings on top of its well-known facts; returns a text for an invalid description. */
export function readProvider(name: string, given: unknown, env: Environment): Provider | string {
  if (!isJsonObject(given)) return "is not an object";
  const like = given.like === undefined ? WELL_KNOWN.get(name) : WELL_KNOWN.get(String(given.like));
  if (given.like !== undefined && !like)
    return `has an unknown "like" value ${JSON.stringify(given.like)}: choose one of ${[...WELL_KNOWN.keys()].join(", ")}`;
  const wire = given.wire ?? like?.wire ?? "chat";
  if (!WIRES.includes(String(wire)))
    return `has an unknown wire ${JSON.stringify(wire)}: choose one of ${WIRES.join(", ")}`;
  const own = WELL_KNOWN.get(name);
  const baseUrl = textAt(given, "baseUrl") ?? (own ? addressIn(name, env) : undefined);
  if (baseUrl === undefined || baseUrl === "") return "needs a baseUrl";
  if (!/^https?:$/.test(parseUrl(baseUrl)?.protocol ?? ""))
    return `has a baseUrl that is not a valid address: ${baseUrl}`;
  const models = modelsIn(given.models);
  if (typeof models === "string") return models;
  const helper = textAt(given, "apiKeyHelper");
  return {
    name,
    wire: wire as Wire,
    baseUrl: baseUrl.replace(/\/+$/, ""),
    apiKey: textAt(given, "apiKey") ?? (helper === undefined ? keyIn(name, env) : undefined),
    apiKeyHelper: helper,
    headers: headersIn(given.headers),
    proxy: proxyFor(new URL(baseUrl), env),
    quirks: like?.quirks ?? USUAL_QUIRKS,
    models,
  };
}

/** A well-known provider that the settings do not describe; undefined if its address is not configured. */
export function wellKnownProvider(name: string, env: Environment): Provider | undefined {
  const known = WELL_KNOWN.get(name);
  const baseUrl = addressIn(name, env);
  if (!known || baseUrl === undefined || baseUrl === "") return undefined;
  const { wire, quirks } = known;
  const url = parseUrl(baseUrl);
  const proxy = url && proxyFor(url, env);
  return { name, wire, baseUrl, apiKey: keyIn(name, env), headers: {}, proxy, quirks, models: {} };
}

function addressIn(name: string, env: Environment): string | undefined {
  const known = WELL_KNOWN.get(name);
  const value = known?.address && env[known.address.variable];
  return value ? known?.address?.toBaseUrl(value).replace(/\/+$/, "") : known?.baseUrl;
}

function keyIn(name: string, env: Environment): string | undefined {
  const variable = WELL_KNOWN.get(name)?.keys.find((key) => env[key]);
  return variable === undefined ? undefined : env[variable];
}

function headersIn(given: unknown): Readonly<Record<string, string>> {
  if (!isJsonObject(given)) return {};
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
}

function modelsIn(given: unknown): Readonly<Record<string, ModelFacts>> | string {
  if (given === undefined) return {};
  if (!isJsonObject(given)) return "has models that are not an object";
  const models: Record<string, ModelFacts> = {};
  for (const [name, facts] of Object.entries(given)) {
    if (!isJsonObject(facts)) return `has a model ${name} that is not an object`;
    const prices = pricesIn(facts.prices);
    if (typeof prices === "string") return `has a model ${name} whose ${prices}`;
    models[name] = {
      contextWindow: positive(facts.contextWindow),
      maxOutputTokens: positive(facts.maxOutputTokens),
      prices,
      images: typeof facts.images === "boolean" ? facts.images : undefined,
      documents: typeof facts.documents === "boolean" ? facts.documents : undefined,
      tools: facts.tools === "prompted" ? "prompted" : undefined,
    };
  }
  return models;
}

/** Requires both prices, because a missing one must not count as zero. */
function pricesIn(given: unknown): Prices | undefined | string {
  if (given === undefined) return undefined;
  const { input, output, cacheRead, cacheWrite }: JsonObject = isJsonObject(given) ? given : {};
  if (!isPrice(input) || !isPrice(output))
    return "prices need input and output, in US dollars per million tokens";
  return {
    input,
    output,
    cacheRead: isPrice(cacheRead) ? cacheRead : undefined,
    cacheWrite: isPrice(cacheWrite) ? cacheWrite : undefined,
  };
}

const isPrice = (value: unknown): value is number => typeof value === "number" && value >= 0;

const positive = (value: unknown) => (typeof value === "number" && value > 0 ? value : undefined);
