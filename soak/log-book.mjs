import { createHash } from "node:crypto";
import { EventSchema, PromptState } from "@agentwire/api";
import { toBinary } from "@bufbuild/protobuf";

/** Deltas of a reply are removed when it is finished; all other events are kept. */
const isPiece = ({ body }) => body.case?.endsWith("Delta") ?? false;

/** Everything that clients received about one session; `faults` compares it with the stored events. */
export class LogBook {
  /** The numbers of the events with which prompts were acknowledged, by prompt id. */
  #acknowledged = new Map();
  #decided = new Map();
  #digests = new Map();
  #stays = [];
  #faults = [];

  acknowledge(promptId, seq) {
    const before = this.#acknowledged.get(promptId);
    if (before !== undefined && before !== seq)
      this.#faults.push(`${promptId} was acknowledged as ${before} and as ${seq}`);
    this.#acknowledged.set(promptId, seq);
  }

  decide(questionId, disposition) {
    this.#decided.set(questionId, disposition);
  }

  /** A client starts to watch after a number; the events that it receives are recorded in the stay. */
  stay(after) {
    const stay = { after, last: after, seen: new Set() };
    this.#stays.push(stay);
    return (event) => {
      const seq = Number(event.seq);
      if (seq <= stay.last) this.#faults.push(`${seq} came after ${stay.last}`);
      stay.last = seq;
      if (isPiece(event)) return;
      stay.seen.add(seq);
      const digest = digestOf(event);
      const before = this.#digests.get(seq);
      if (before !== undefined && before !== digest)
        this.#faults.push(`two clients were told different things as ${seq}`);
      this.#digests.set(seq, digest);
    };
  }

  /** All faults, once the session is idle. */
  faults(stored) {
    return [
      ...this.#faults,
      ...holesIn(stored),
      ...this.#lostEvents(stored),
      ...this.#lostPrompts(stored),
      ...this.#lostDecisions(stored),
    ];
  }

  #lostEvents(stored) {
    const kept = new Map(
      stored.filter((event) => !isPiece(event)).map((event) => [Number(event.seq), digestOf(event)]),
    );
    const lost = [...this.#digests].filter(([seq, digest]) => kept.get(seq) !== digest);
    const missed = this.#stays.flatMap(({ after, last, seen }) =>
      [...kept.keys()].filter((seq) => seq > after && seq <= last && !seen.has(seq)),
    );
    return [
      ...lost.map(([seq]) => `${seq} was sent and is not stored as it was sent`),
      ...missed.map((seq) => `${seq} is stored and was not sent to somebody who watched`),
    ];
  }

  #lostPrompts(stored) {
    const inputs = new Map();
    const ends = new Map();
    for (const { seq, body } of stored) {
      if (body.case === "userInput")
        inputs.set(body.value.promptId, [...(inputs.get(body.value.promptId) ?? []), Number(seq)]);
      if (body.case === "promptChange") ends.set(body.value.promptId, body.value.state);
    }
    return [...this.#acknowledged].flatMap(([promptId, seq]) => [
      ...(String(inputs.get(promptId)) === String(seq)
        ? []
        : [`prompt ${promptId} is stored as ${inputs.get(promptId)}, not once as ${seq}`]),
      ...([PromptState.COMPLETED, PromptState.CANCELLED].includes(ends.get(promptId))
        ? []
        : [`prompt ${promptId} was never answered`]),
    ]);
  }

  #lostDecisions(stored) {
    const ends = new Map();
    for (const { body } of stored)
      if (body.case === "permissionDecided")
        ends.set(body.value.questionId, [...(ends.get(body.value.questionId) ?? []), body.value.disposition]);
    const asked = stored.flatMap(({ body }) =>
      body.case === "permissionAsked" ? [body.value.question.id] : [],
    );
    return [
      ...asked
        .filter((id) => ends.get(id)?.length !== 1)
        .map((id) => `question ${id} ended ${ends.get(id)?.length ?? 0} times`),
      ...[...this.#decided]
        .filter(([id, disposition]) => ends.get(id)?.[0] !== disposition)
        .map(([id]) => `the decision of ${id} was lost`),
    ];
  }
}

const digestOf = (event) => createHash("sha1").update(toBinary(EventSchema, event)).digest("base64");

/** A number may be missing only if a finished reply has replaced its deltas. */
function holesIn(stored) {
  const superseded = new Set();
  for (const { seq, supersedesFrom } of stored)
    if (supersedesFrom > 0n) for (let n = Number(supersedesFrom); n < Number(seq); n++) superseded.add(n);
  const numbers = new Set(stored.map(({ seq }) => Number(seq)));
  const holes = [];
  for (let n = 1; n < Number(stored.at(-1)?.seq ?? 0); n++)
    if (!numbers.has(n) && !superseded.has(n)) holes.push(`${n} is missing`);
  return holes;
}
