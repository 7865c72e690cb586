import type { Session } from "@agentwire/api";
import { type Call, textOption } from "../command.ts";
import type { Io } from "../io.ts";
import { knownProviders } from "../models/find.ts";
import { isWithoutModel, OUR_AGENT } from "../models/welcome.ts";
import type { Client } from "../talk/client.ts";
import { remoteOf } from "../talk/remote.ts";

const DEMO = "This is the offline demo: fixed rules, no model. To set one up: agentwire models";
const DEMO_MODEL = "offline-demo";

/** The note to show if only the offline demo would answer; empty otherwise. */
export async function demoNote(call: Call, client: Client, session: Session | undefined): Promise<string> {
  const agent = session?.agent ?? textOption(call, "agent") ?? "";
  const model = session?.model ?? textOption(call, "model") ?? "";
  // A failure here must not keep anyone from working.
  return (await isDemo(call.io, client, agent, model).catch(() => false)) ? DEMO : "";
}

async function isDemo(io: Io, client: Client, agent: string, wanted: string): Promise<boolean> {
  if (wanted.includes("/")) return false;
  const { models } = await client.models.listModels({ agent });
  const meant = models.find(({ name }) => name === wanted) ?? models.find(({ name }) => name === "default");
  if (meant && meant.standsFor !== "") return meant.standsFor === DEMO_MODEL;
  // The agent has not been started yet, so decide from local knowledge.
  const name = agent || (await client.health.healthDetails({})).agents[0]?.name;
  return name === OUR_AGENT && remoteOf(io) === undefined && isWithoutModel(io, await knownProviders(io));
}
