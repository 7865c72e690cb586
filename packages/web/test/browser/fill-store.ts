import { randomUUID } from "node:crypto";
import { EventSchema } from "@agentwire/api";
import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Body } from "../../../view/test/timeline/events.ts";

/** Writes the events of a long conversation directly into a store that no daemon is using. */
export async function fillStore(path: string, sessionId: string, events: number): Promise<void> {
  const { DatabaseSync } = await import("@photostructure/sqlite");
  const db = new DatabaseSync(path);
  const start = Date.now() - events * 1000;
  const insert = db.prepare("INSERT INTO events (session_id, seq, delta_of, body) VALUES (?, ?, NULL, ?)");
  db.exec("BEGIN");
  for (let seq = 1; seq <= events; seq++) {
    const event = create(EventSchema, {
      sessionId,
      seq: BigInt(seq),
      time: timestampFromMs(start + seq * 1000),
      body: bodyOf(seq),
    });
    insert.run(sessionId, seq, toBinary(EventSchema, event));
  }
  db.exec("COMMIT");
  db.close();
}

/** Adds copies of a session without its events, each a second older than the previous one. */
export async function fillSessions(path: string, sessionId: string, sessions: number): Promise<void> {
  const { DatabaseSync } = await import("@photostructure/sqlite");
  const db = new DatabaseSync(path);
  const row = db.prepare("SELECT * FROM sessions WHERE id = ?").get(sessionId) as Record<string, unknown>;
  const names = Object.keys(row);
  const places = names.map(() => "?").join(", ");
  const insert = db.prepare(`INSERT INTO sessions (${names.join(", ")}) VALUES (${places})`);
  db.exec("BEGIN");
  for (let number = 1; number < sessions; number++) {
    const copy: Record<string, unknown> = {
      ...row,
      id: randomUUID(),
      title: `Session ${number}`,
      idempotency_key: null,
      updated_ms: Number(row.updated_ms) - number * 1000,
    };
    insert.run(...(names.map((name) => copy[name]) as (string | number | null)[]));
  }
  db.exec("COMMIT");
  db.close();
}

function bodyOf(seq: number): Body {
  switch (seq % 5) {
    case 1:
      return { case: "userInput", value: { promptId: `p${seq}`, text: `Prompt ${seq}`, client: "somebody" } };
    case 2:
      return { case: "promptChange", value: { promptId: `p${seq - 1}`, state: 3 } };
    case 3:
      return {
        case: "toolCallStart",
        value: { toolUseId: `t${seq}`, name: "Bash", inputJson: `{"command":"echo ${seq}"}`, messageId: "m" },
      };
    case 4:
      return { case: "toolCallResult", value: { toolUseId: `t${seq - 1}`, text: `${seq}`, durationMs: 7n } };
    default:
      return {
        case: "text",
        value: {
          messageId: `m${seq}`,
          text: `This is reply ${seq}, with **marks** and\n\n- a list\n- of things`,
        },
      };
  }
}
