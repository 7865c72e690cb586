// Scores one agent and prints the score as JSON. Runs without a network.
import { scoreAcpAgent } from "@agentwire/conformance/acp";
import { AGENTS, programOf } from "./agents.mjs";

const [, , name] = process.argv;
const { env, authMethod } = AGENTS[name];
const outcomes = await scoreAcpAgent({
  command: [programOf(name)],
  environment: process.env,
  variables: env("{api}"),
  authMethod,
  jobs: 2,
  limitMs: 60_000,
});
const failed = outcomes.filter(({ verdict }) => verdict !== "match");
const problems = failed.map(({ scenario, hard }) => ({ scenario, problems: hard.map(({ text }) => text) }));
process.stdout.write(
  JSON.stringify({ total: outcomes.length, match: outcomes.length - failed.length, problems }),
);
