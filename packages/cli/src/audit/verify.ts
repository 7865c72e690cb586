import { AuditCheck, storedEntry } from "@agentwire/daemon";
import { EXIT_CODES } from "@agentwire/protocol/support";
import type { Call } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import type { Client } from "../talk/client.ts";
import { auditPages } from "./pages.ts";

/** Looks whether the audit log is as it was written. */
export async function verify({ io, json }: Call): Promise<number> {
  const check = new AuditCheck();
  const trouble = await troubleIn(await runningDaemon(io, "audit"), check);
  const { seq: entries, hash } = check;
  if (json)
    io.stdout.write(
      `${JSON.stringify({ ok: trouble === undefined, entries, hash, ...(trouble && { trouble }) })}\n`,
    );
  else if (trouble === undefined)
    io.stdout.write(
      `All ${entries} entries are as they were written.\n  the last hash: ${hash || "none yet"}\n`,
    );
  else
    io.stdout.write(
      `${trouble}\n  up to entry ${entries} all is as it was written; a backup may have the rest\n`,
    );
  return trouble === undefined ? EXIT_CODES.done : EXIT_CODES.turnFailed;
}

async function troubleIn(client: Client, check: AuditCheck): Promise<string | undefined> {
  let given = 0;
  for await (const { entries, lastSeq } of auditPages(client, "")) {
    const wrong = entries.find((entry) => !check.follows(storedEntry(entry)));
    if (wrong)
      return `Entry ${wrong.seq} does not follow from entry ${check.seq}: one of them was changed, or one between them was taken away.`;
    given = Number(lastSeq);
  }
  return given > check.seq ? `Entries ${check.seq + 1} to ${given} were taken away.` : undefined;
}
