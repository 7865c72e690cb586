import { createInterface } from "node:readline/promises";
import type { InspectFolderResponse } from "@agentwire/api";
import type { Call } from "../command.ts";
import { personAt } from "../io.ts";
import type { Client } from "../talk/client.ts";

/** Asks the user at the terminal whether to trust a folder whose files ask for something; without a terminal the answer is no. */
export async function isTrustGiven({ io, json }: Call, client: Client, cwd: string): Promise<boolean> {
  const person = json ? undefined : personAt(io);
  if (!person) return false;
  // Without an answer the folder gets no trust; what is wrong with it is said by what follows.
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

/** What is asked, with everything that would come to count. */
function trustQuestion({ folder, withheld }: InspectFolderResponse): string {
  return [
    `${folder} is not trusted. Its files ask for:`,
    ...withheld.map(({ path, what }) => `  ${path}: ${what}`),
    "If you trust it, this applies to all sessions there, even if the files change later. Otherwise the session starts without it.",
  ].join("\n");
}
