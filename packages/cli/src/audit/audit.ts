import { type AuditEntry, AuditEntrySchema } from "@agentwire/api";
import { AuditCheck, storedEntry } from "@agentwire/daemon/audit";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type Call, hasOption, textOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { UsageError } from "../errors.ts";
import { oneLine } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";
import { table } from "../render/table.ts";
import type { Client } from "../talk/client.ts";
import { jsonLine } from "../talk/json.ts";

const PAGE = 1000;

/** A page of the audit log, with the last number ever assigned. */
interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly lastSeq: bigint;
}

/** The whole log, oldest entries first. */
async function* auditPages({ audit }: Client, kind: string): AsyncGenerator<AuditPage> {
  for (let fromSeq = 0n; ; ) {
    const { entries, more, lastSeq } = await audit.listAuditEntries({ fromSeq, kind, pageSize: PAGE });
    yield { entries, lastSeq };
    const last = entries.at(-1);
    if (!more || !last) return;
    fromSeq = last.position;
  }
}

/** Shows the audit log: the latest entries, or all. */
export async function list(call: Call): Promise<number> {
  const { io, json } = call;
  const client = await runningDaemon(io, "audit");
  const kind = textOption(call, "kind") ?? "";
  const show = (entries: readonly AuditEntry[]) =>
    void io.stdout.write(
      json
        ? entries.map((entry) => jsonLine(AuditEntrySchema, entry)).join("")
        : table(entries.map(row), io.stdout.columns),
    );
  if (hasOption(call, "all")) {
    for await (const { entries } of auditPages(client, kind)) show(entries);
    return EXIT_CODES.done;
  }
  const { entries } = await client.audit.listAuditEntries({ backwards: true, kind, pageSize: limitOf(call) });
  show(entries.toReversed());
  return EXIT_CODES.done;
}

function row({ seq, time, kind, actor, action, subject, detail }: AuditEntry): string[] {
  return [
    String(seq),
    time ? timestampDate(time).toISOString() : "",
    kind,
    action,
    oneLine(actor, 60),
    oneLine(subject, 60),
    oneLine(detail, 120),
  ];
}

function limitOf(call: Call): number {
  const given = textOption(call, "limit") ?? "50";
  if (/^\d{1,4}$/.test(given) && Number(given) >= 1 && Number(given) <= 1000) return Number(given);
  throw new UsageError(`--limit takes a number from 1 to 1000, not ${given}`);
}

/** Checks the integrity of the audit log, following each node's chain. */
export async function verify({ io, json }: Call): Promise<number> {
  const checks = new Map<string, AuditCheck>();
  const trouble = await troubleIn(await runningDaemon(io, "audit"), checks);
  const chains = [...checks].map(([node, { seq, hash }]) => ({ node, entries: seq, hash }));
  const entries = chains.reduce((sum, chain) => sum + chain.entries, 0);
  const hash = chains.length === 1 ? (chains[0]?.hash ?? "") : "";
  const many = chains.length > 1;
  if (json)
    io.stdout.write(
      `${JSON.stringify({ ok: trouble === undefined, entries, hash, ...(many && { chains }), ...(trouble && { trouble }) })}\n`,
    );
  else if (trouble === undefined)
    io.stdout.write(
      `All ${entries} entries are intact.\n${
        many
          ? chains.map((chain) => `  last hash of node ${shortId(chain.node)}: ${chain.hash}\n`).join("")
          : `  last hash: ${hash || "none yet"}\n`
      }`,
    );
  else io.stdout.write(`${trouble}\n  entries up to ${entries} are intact; a backup may have the rest\n`);
  return trouble === undefined ? EXIT_CODES.done : EXIT_CODES.turnFailed;
}

async function troubleIn(client: Client, checks: Map<string, AuditCheck>): Promise<string | undefined> {
  let given = 0;
  let seen = 0;
  for await (const { entries, lastSeq } of auditPages(client, "")) {
    for (const entry of entries) {
      const check = checks.get(entry.node) ?? new AuditCheck();
      checks.set(entry.node, check);
      if (!check.follows(storedEntry(entry)))
        return `Entry ${entry.seq} does not follow from entry ${check.seq}: one of them was changed, or one between them was removed.`;
      seen = Number(entry.position);
    }
    given = Number(lastSeq);
  }
  return given > seen ? `Entries ${seen + 1} to ${given} were removed.` : undefined;
}
