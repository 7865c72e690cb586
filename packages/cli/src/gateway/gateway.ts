import { randomBytes } from "node:crypto";
import { defaultConfig } from "@agentwire/daemon";
import { userProviders } from "@agentwire/daemon/models";
import { admitting, type Gateway, type GatewayCall, startGateway } from "@agentwire/models/gateway";
import { connectionProblem } from "@agentwire/models/probe";
import type { Provider, Providers } from "@agentwire/models/providers";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, textOption } from "../command.ts";
import { daemonClient } from "../daemon/reach.ts";
import { CliError, UsageError } from "../errors.ts";
import { type Style, styleFor } from "../render/style.ts";
import { Books } from "./books.ts";

const DEFAULT_PORT = 8788;
/** How long to wait for the provider of a named model before people are told that it does not answer. */
const CHECK_MS = 5000;

/** Serves the Messages API until the process is told to stop. */
export async function gateway(call: Call): Promise<number> {
  const { io } = call;
  const providers = await userProviders(io.env, defaultConfig(io.env, io.cwd).home);
  for (const fault of providers.faults) io.stderr.write(`agentwire gateway: ${fault}\n`);
  const names = { model: textOption(call, "model"), small: textOption(call, "small-model") };
  const chosen = new Set([names.model, names.small].flatMap((name) => providerOf(name, providers) ?? []));
  const { AGENTWIRE_GATEWAY_TOKEN: given } = io.env;
  const token = given || randomBytes(24).toString("base64url");
  const report = reporter(call);
  const books = new Books(daemonClient(io, "gateway"));
  const served = await listen({
    admit: admitting(token, {
      providers,
      names,
      onCall: (ended) => {
        report(ended);
        books.enter(ended);
      },
    }),
    host: textOption(call, "host") ?? "127.0.0.1",
    port: numberOption(call, "port", 65_535) ?? DEFAULT_PORT,
    limits: { maxCalls: numberOption(call, "max-calls", 10_000, 1) ?? 256 },
  });
  tell(call, served, given ? undefined : token, names.model, new Set([...chosen, ...providers.available]));
  const stopped = stopSignal();
  for (const provider of chosen) {
    const problem = await Promise.race([stopped, connectionProblem(provider, AbortSignal.timeout(CHECK_MS))]);
    if (problem !== undefined) io.stderr.write(`agentwire gateway: ${problem}\n`);
  }
  await stopped;
  await served.close();
  await books.close();
  return EXIT_CODES.done;
}

/** The provider of a named model; throws if there is none. */
function providerOf(name: string | undefined, providers: Providers): Provider | undefined {
  if (name === undefined) return undefined;
  const named = providers.named(name);
  if (named) return named.provider;
  const known = providers.available.map((provider) => provider.name).join(", ");
  throw new UsageError(
    `${name} is not a model of a known provider`,
    `name it as provider/model${known === "" ? ", as in ollama/qwen3-coder" : `; providers found here: ${known}`}`,
  );
}

function numberOption(call: Call, name: string, max: number, min = 0): number | undefined {
  const given = textOption(call, name);
  if (given === undefined) return undefined;
  if (/^\d{1,5}$/.test(given) && Number(given) <= max && Number(given) >= min) return Number(given);
  throw new UsageError(`--${name} takes a number from ${min} to ${max}, not ${given}`);
}

async function listen(options: Parameters<typeof startGateway>[0]): Promise<Gateway> {
  try {
    return await startGateway(options);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const isTaken = code === "EADDRINUSE";
    const at = `${options.host}:${options.port}`;
    throw new CliError(isTaken ? `${at} is in use` : `can't listen on ${at}: ${message}`, {
      hint: isTaken
        ? "another gateway may be running there; --port 0 picks a free port"
        : "choose another --host or --port",
      cause,
    });
  }
}

/** Omits a token that was passed in, since the output may go to a log. */
function tell(
  { io, json }: Call,
  { url }: Gateway,
  token: string | undefined,
  model: string | undefined,
  providers: ReadonlySet<Provider>,
): void {
  const found = Array.from(providers, ({ name }) => name);
  if (json) {
    io.stdout.write(`${JSON.stringify({ url, token, model, providers: found })}\n`);
    return;
  }
  const named = model === undefined ? ` --model ${found[0] ?? "provider"}/MODEL` : "";
  io.stdout.write(`The gateway listens on ${url}; providers: ${found.join(", ") || "none found"}.

In another terminal:
  export ANTHROPIC_BASE_URL=${url}
  export ANTHROPIC_AUTH_TOKEN=${token ?? '"$AGENTWIRE_GATEWAY_TOKEN"'}
  claude${named}

Ctrl-C stops it.
`);
}

/** Reports each finished call: on stderr for people, on stdout for programs. */
function reporter({ io, json }: Call): (call: GatewayCall) => void {
  if (json) return (call) => void io.stdout.write(`${JSON.stringify(call)}\n`);
  const style = styleFor(io.stderr, io.env);
  return (call) => void io.stderr.write(line(call, style));
}

function line(
  { model, status, ms, inputTokens, outputTokens, error }: GatewayCall,
  { red, dim }: Style,
): string {
  const outcome = error === undefined ? `${inputTokens} in, ${outputTokens} out` : red(`${status} ${error}`);
  return `${dim(new Date().toISOString().slice(11, 19))} ${model || "no model"}: ${outcome}, ${(ms / 1000).toFixed(1)} s\n`;
}

function stopSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.once(signal, () => resolve(undefined));
  });
}
