import type { Session } from "@agentwire/api";
import { defaultConfig } from "@agentwire/daemon";
import { userHasClaude } from "@agentwire/daemon/models";
import { type Call, textOption } from "../command.ts";
import type { Io } from "../io.ts";
import { knownProviders } from "../models/find.ts";
import { isWithoutModel, OUR_AGENT } from "../models/welcome.ts";
import { plain } from "../render/plain.ts";
import type { Client } from "../talk/client.ts";
import { remoteOf } from "../talk/remote.ts";

const DEMO = "This is the offline demo: fixed rules, no model. To set one up: agentwire models";
const DEMO_MODEL = "offline-demo";

/** The note for people who named a model that nobody offers. */
const insteadOf = (model: string) =>
  `The offline demo answers, not ${model}: it names no provider, and Claude has no key.
To name one: --model PROVIDER/${model}, as in ollama/qwen3-coder; to list them: agentwire models`;

/** The note to show if only the offline demo would answer; empty otherwise. */
export async function demoNote(call: Call, client: Client, session: Session | undefined): Promise<string> {
  const agent = session?.agent ?? textOption(call, "agent") ?? "";
  const model = session?.model ?? textOption(call, "model") ?? "";
  // A failure here must not keep anyone from working.
  if (!(await isDemo(call.io, client, agent, model).catch(() => false))) return "";
  return model === "" ? DEMO : insteadOf(plain(model));
}

async function isDemo(io: Io, client: Client, agent: string, wanted: string): Promise<boolean> {
  if (wanted.includes("/")) return false;
  const { models } = await client.models.listModels({ agent });
  const standsFor = (name: string) => models.find((model) => model.name === name)?.standsFor ?? "";
  const meant = standsFor(wanted) || standsFor("default");
  if (meant === DEMO_MODEL) return true;
  if (meant !== "" && (wanted === "" || standsFor(wanted) !== "")) return false;
  // The agent has not been started yet, or does not list the model, so decide from local knowledge.
  const name = agent || (await client.health.healthDetails({})).agents[0]?.name;
  if (name !== OUR_AGENT || remoteOf(io) !== undefined) return false;
  const known = await knownProviders(io);
  if (wanted === "") return isWithoutModel(io, known);
  const { home } = defaultConfig(io.env, io.cwd);
  return known.providers.named(wanted) === undefined && !(await userHasClaude(io.env, home));
}
