interface Known<T> {
  readonly atMs: number;
  readonly answer: Promise<T>;
}

/** A cache of the latest answers to repeated questions, limited in size; failed answers are dropped. */
export class RecentAnswers<T> {
  readonly #known = new Map<string, Known<T>>();
  readonly #most: number;
  readonly #freshMs: number;

  constructor(most: number, freshMs: number) {
    this.#most = most;
    this.#freshMs = freshMs;
  }

  /** The last answer, however old. */
  get(question: string): Promise<T> | undefined {
    return this.#known.get(question)?.answer;
  }

  isFresh(question: string): boolean {
    const known = this.#known.get(question);
    return known !== undefined && performance.now() - known.atMs <= this.#freshMs;
  }

  set(question: string, answer: Promise<T>): void {
    const known = { atMs: performance.now(), answer };
    this.#known.delete(question);
    this.#known.set(question, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#most && oldest !== undefined) this.#known.delete(oldest);
    answer.catch(() => this.#known.get(question) === known && this.#known.delete(question));
  }
}
