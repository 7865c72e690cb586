import { type Disposition, type Question, QuestionSchema } from "@agentwire/api";
import { create, fromBinary } from "@bufbuild/protobuf";

/** A question as it is stored. */
export interface QuestionRow {
  readonly id: string;
  readonly sessionId: string;
  readonly seq: number;
  readonly disposition: Disposition;
  readonly body: Uint8Array;
}

/** Decodes a stored question; of a damaged one, returns whatever is stored outside its body. */
export function storedQuestion({ id, sessionId, seq, disposition, body }: QuestionRow): Question {
  try {
    return fromBinary(QuestionSchema, body);
  } catch {
    const reason = "the question is damaged in the store and can't be shown";
    return create(QuestionSchema, { id, sessionId, seq: BigInt(seq), disposition, reason });
  }
}
