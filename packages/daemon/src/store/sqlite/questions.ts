import { Disposition, type Question } from "@agentwire/api";
import { PAGE_BYTES, type StoredQuestions } from "../store.ts";
import { type QuestionRow, storedQuestion } from "../stored-question.ts";
import type { Database, Row } from "./database.ts";
import { fitting } from "./logs.ts";

const COLUMNS = "id, session_id AS sessionId, seq, disposition, body";

const questionOf = (row: Row) => storedQuestion(row as unknown as QuestionRow);

/** The open questions of a session, in the order of asking. */
export function openQuestionsOf(db: Database, sessionId: string): readonly Question[] {
  return db
    .statement(`SELECT ${COLUMNS} FROM questions WHERE disposition = ? AND session_id = ? ORDER BY seq`)
    .all(Disposition.OPEN, sessionId)
    .map(questionOf);
}

/** Reads the questions of a database. */
export function storedQuestions(db: Database): StoredQuestions {
  return {
    async find(id) {
      const row = db.statement(`SELECT ${COLUMNS} FROM questions WHERE id = ?`).get(id);
      return row && questionOf(row);
    },
    async list({ sessionId, includeDecided, after, limit }) {
      const rows = db
        .statement(
          `SELECT rowid AS place, ${COLUMNS} FROM questions WHERE rowid > ? AND (? = '' OR session_id = ?)
           AND (? OR disposition = ?) ORDER BY rowid LIMIT ?`,
        )
        .iterate(after, sessionId, sessionId, includeDecided ? 1 : 0, Disposition.OPEN, limit);
      return fitting(rows, "body", PAGE_BYTES).map((row) => ({
        place: Number(row.place),
        question: questionOf(row),
      }));
    },
  };
}
