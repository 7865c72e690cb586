import { Disposition, type Event, type Question } from "@agentwire/api";

/** The open questions of a session, in the order in which they were asked. */
export class OpenQuestions {
  readonly #open = new Map<string, { readonly question: Question; readonly ended: AbortController }>();
  /** Called when a question arrives. */
  onArrival: () => void = () => {};

  /** Updates the questions from an event. */
  handle({ body }: Event): void {
    if (body.case === "permissionAsked" || body.case === "questionAsked") {
      if (body.value.question) this.add(body.value.question);
    } else if (body.case === "permissionDecided" || body.case === "questionAnswered") {
      this.remove(body.value.questionId);
    } else if (body.case === "questionDeadline") {
      const { questionId, expiresAt } = body.value;
      const known = this.#open.get(questionId);
      if (!known) return;
      const { expiresAt: _before, ...question } = known.question;
      this.#open.set(questionId, { ...known, question: { ...question, ...(expiresAt && { expiresAt }) } });
    }
  }

  add(question: Question): void {
    if (question.disposition !== Disposition.OPEN || this.#open.has(question.id)) return;
    this.#open.set(question.id, { question, ended: new AbortController() });
    this.onArrival();
  }

  /** Removes a question and ends its prompt. */
  remove(id: string): void {
    this.#open.get(id)?.ended.abort();
    this.#open.delete(id);
  }

  /** Replaces the questions with those that the daemon reports as open. */
  reset(questions: readonly Question[]): void {
    const ids = new Set(questions.map(({ id }) => id));
    for (const id of [...this.#open.keys()]) if (!ids.has(id)) this.remove(id);
    for (const question of questions) this.add(question);
  }

  /** The longest-waiting question, with a signal that fires when it is closed. */
  get first(): { readonly question: Question; readonly signal: AbortSignal } | undefined {
    const [next] = this.#open.values();
    return next && { question: next.question, signal: next.ended.signal };
  }
}
