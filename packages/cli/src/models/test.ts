import { connectProvider } from "@agentwire/models/client";
import { type ModelProbe, probeModel, type Trial } from "@agentwire/models/probe";
import type { Provider } from "@agentwire/models/providers";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, textOption } from "../command.ts";
import { UsageError } from "../errors.ts";
import { plain } from "../render/plain.ts";
import { type Style, styleFor } from "../render/style.ts";
import { type KnownProviders, knownProviders } from "./find.ts";

/** Long, because a local model may have to be loaded first. */
const DEFAULT_SECONDS = 120;
/** The abilities that an agent requires. */
const NEEDED: readonly Trial["ability"][] = ["text", "tool call"];

/** Tests what a model can do; exit code 1 if it lacks what an agent needs. */
export async function test(call: Call): Promise<number> {
  const { io, json, args } = call;
  const [name = ""] = args;
  const provider = providerOf(name, await knownProviders(io));
  const limitMs = secondsOf(call) * 1000;
  const leaving = new AbortController();
  process.once("SIGINT", () => process.exit(EXIT_CODES.interrupted));
  const probe = await probeModel(connectProvider(provider, limitMs), name, limitMs, leaving.signal);
  const suits = NEEDED.every((ability) =>
    probe.trials.some((trial) => trial.ability === ability && trial.works),
  );
  if (json) io.stdout.write(`${JSON.stringify({ model: name, suits, ...probe })}\n`);
  else io.stdout.write(report(name, probe, suits, styleFor(io.stdout, io.env)));
  return suits ? EXIT_CODES.done : EXIT_CODES.turnFailed;
}

function providerOf(name: string, { providers, claude }: KnownProviders): Provider {
  const provider = providers.named(name)?.provider ?? (name.includes("/") ? undefined : claude);
  if (provider) return provider;
  throw new UsageError(
    `${name} is not a model of a known provider`,
    "agentwire models lists what can be reached; names are provider/model, as in ollama/qwen3-coder",
  );
}

function secondsOf(call: Call): number {
  const given = textOption(call, "seconds");
  if (given === undefined) return DEFAULT_SECONDS;
  if (/^\d{1,4}$/.test(given) && Number(given) > 0) return Number(given);
  throw new UsageError(`--seconds takes a number from 1 to 9999, not ${given}`);
}

function report(
  name: string,
  { firstTokenMs, trials }: ModelProbe,
  suits: boolean,
  { green, red }: Style,
): string {
  const lines = trials.map(({ ability, works, why, ms }) => {
    const mark = works ? green("yes") : red("no ");
    return `${mark}  ${ability.padEnd(10)} ${(ms / 1000).toFixed(1)} s${why === undefined ? "" : `  ${plain(why)}`}\n`;
  });
  const first =
    firstTokenMs === undefined ? "" : `time to first token: ${(firstTokenMs / 1000).toFixed(2)} s\n`;
  const verdict = suits
    ? `${plain(name)} can do what an agent needs.\n`
    : `${plain(name)} can't do what an agent needs: text and tool calls.\n`;
  return `${lines.join("")}${first}${verdict}`;
}
