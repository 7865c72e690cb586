import { closest } from "@agentwire/protocol/support";
import { type Call, textOption } from "../command.ts";
import { UsageError } from "../errors.ts";
import { OUR_AGENT } from "../models/welcome.ts";
import type { Client } from "../talk/client.ts";

/** Throws for an unknown agent or provider, which would otherwise go unnoticed until the first prompt. */
export async function checkNames(call: Call, client: Client): Promise<void> {
  const wanted = textOption(call, "agent");
  const model = textOption(call, "model") ?? "";
  if (wanted === undefined && !model.includes("/")) return;
  const names = (await client.health.healthDetails({})).agents.map(({ name }) => name);
  const agent = wanted ?? names[0] ?? "";
  if (!names.includes(agent)) {
    const meant = closest(agent, names);
    throw new UsageError(
      `unknown agent ${agent}; choose one of ${names.join(", ")}`,
      meant === undefined ? "for details: agentwire doctor" : `did you mean ${meant}?`,
    );
  }
  if (agent === OUR_AGENT && model.includes("/")) await checkProvider(call, client, model);
}

async function checkProvider({ io }: Call, client: Client, model: string): Promise<void> {
  const { knownProviders } = await import("../models/find.ts");
  const { providers } = await knownProviders(io);
  if (providers.named(model)) return;
  // The daemon may know more models than this process, and a gateway has its own names.
  const { models, problems } = await client.models.listModels({ agent: OUR_AGENT });
  const name = model.slice(0, model.indexOf("/"));
  const isKnown =
    models.some((known) => known.provider === name || known.name === model) ||
    problems.some(({ provider }) => provider === name);
  if (!isKnown && !io.env.ANTHROPIC_BASE_URL) throw new UsageError(providers.absence(model));
}
