import { createInterface } from "node:readline/promises";
import type { InspectFolderResponse } from "@agentwire/api";
import type { Call } from "../command.ts";
import { personAt } from "../io.ts";
import type { Client } from "../talk/client.ts";

/** Asks at the terminal whether to trust a folder whose files need trust; without a terminal the answer is no. */
export async function isTrustGiven({ io, json }: Call, client: Client, cwd: string): Promise<boolean> {
  const person = json ? undefined : personAt(io);
  if (!person) return false;
  // If the request fails, the folder is not trusted; starting the session will report the cause.
  const found = await client.sessions.inspectFolder({ cwd }).catch(() => undefined);
  if (!found || found.trusted || found.withheld.length === 0) return false;
  person.screen.write(`${trustQuestion(found)}\n`);
  const lines = createInterface({ input: person.keys, output: person.screen });
  try {
    const said = await lines.question("Do you trust it? [y/N] ");
    return /^y(es)?$/i.test(said.trim());
  } finally {
    lines.close();
  }
}

/** The question, with everything that trust would enable. */
function trustQuestion({ folder, withheld }: InspectFolderResponse): string {
  return [
    `${folder} is not trusted. Its files ask for:`,
    ...withheld.map(({ path, what }) => `  ${path}: ${what}`),
    "If you trust it, this applies to all sessions there, even if the files change later. Otherwise the session starts without it.",
  ].join("\n");
}
