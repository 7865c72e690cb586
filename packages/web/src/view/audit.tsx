import type { AuditEntry, Session } from "@agentwire/api";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useEffect, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { hrefOf } from "../route.ts";
import { within } from "../text/paths.ts";
import { auditWords, moment } from "../text/words.ts";

const PAGE = 50;

const KINDS = [
  ["decision", "permission decisions"],
  ["rule", "rules"],
  ["mode", "session modes"],
  ["login", "sign-ins"],
  ["token", "tokens"],
  ["backup", "backups"],
  ["", "everything"],
] as const;

interface AuditProps {
  readonly app: App;
  /** Known sessions, to shorten paths in their folders. */
  readonly sessions: readonly Session[];
  /** The number of open questions; a change means that one was asked or decided. */
  readonly waiting: number;
}

/** The audit log: who decided what, latest first. */
export function Audit({ app, sessions, waiting }: AuditProps) {
  const [kind, setKind] = useState("decision");
  const [entries, setEntries] = useState<readonly AuditEntry[] | undefined>(undefined);
  const [hasMore, setMore] = useState(false);
  const load = async (before: readonly AuditEntry[]) => {
    const fromSeq = before.at(-1)?.seq ?? 0n;
    const page = await app.attempt(() =>
      app.client.audit.listAuditEntries({ fromSeq, backwards: true, pageSize: PAGE, kind }),
    );
    if (!page) return;
    setEntries([...before, ...page.entries]);
    setMore(page.more);
  };
  useEffect(() => void load([]), [kind, waiting]);
  return (
    <section aria-labelledby="audit-title">
      <header class="page-head">
        <h2 id="audit-title">Permission audit</h2>
        <label class="period">
          Show
          <select value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            {KINDS.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </header>
      {entries?.length === 0 && <p class="why">No entries of this kind yet.</p>}
      {entries && entries.length > 0 && <Entries entries={entries} sessions={sessions} />}
      {hasMore && (
        <button type="button" class="quiet" onClick={() => void load(entries ?? [])}>
          Show older
        </button>
      )}
    </section>
  );
}

interface EntriesProps {
  readonly entries: readonly AuditEntry[];
  readonly sessions: readonly Session[];
}

function Entries({ entries, sessions }: EntriesProps) {
  const folders = new Map(sessions.map(({ id, cwd }) => [id, cwd]));
  return (
    <div class="table-frame" tabIndex={0}>
      <table class="facts audit">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col">Outcome</th>
            <th scope="col">By</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row key={String(entry.seq)} entry={entry} folder={folders.get(entry.subject) ?? ""} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ entry, folder }: { readonly entry: AuditEntry; readonly folder: string }) {
  const { seq, time, actor, action } = entry;
  const { what, about, tone, sessionId } = auditWords(entry);
  return (
    <tr>
      <td class="when" title={`entry ${seq}`}>
        {time && moment(timestampMs(time), Date.now())}
      </td>
      <td class="what">
        {sessionId === undefined ? (
          <strong>{what}</strong>
        ) : (
          <a href={hrefOf({ view: "session", id: sessionId })}>{what}</a>
        )}{" "}
        {folder === "" ? about : within(about, folder)}
      </td>
      <td>
        <span class={`tag ${tone}`}>{action}</span>
      </td>
      <td>{actor}</td>
    </tr>
  );
}
