import { type AuditEntry, AuditEntrySchema } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type Call, hasOption, textOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { UsageError } from "../errors.ts";
import { oneLine } from "../render/plain.ts";
import { table } from "../render/table.ts";
import { jsonLine } from "../talk/json.ts";
import { auditPages } from "./pages.ts";

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
