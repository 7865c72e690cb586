/** A pattern, split once for comparison with any number of texts. */
export interface Wildcard {
  readonly head: string;
  /** The parts that have to appear in between, in order. */
  readonly chunks: readonly string[];
  /** Absent if the pattern has no star: the head is all of it. */
  readonly tail: string | undefined;
}

/** Parses a pattern in which each `star` stands for any number of characters, including none. */
export function wildcard(pattern: string, star: string): Wildcard {
  const [head = "", ...chunks] = pattern.split(star);
  const tail = chunks.pop();
  return { head, chunks, tail };
}

/** Whether a text matches a pattern. */
export function matchesWildcard({ head, chunks, tail }: Wildcard, text: string): boolean {
  if (tail === undefined) return text === head;
  if (!text.startsWith(head)) return false;
  let from = head.length;
  for (const chunk of chunks) {
    const at = text.indexOf(chunk, from);
    if (at < 0) return false;
    from = at + chunk.length;
  }
  return text.length - tail.length >= from && text.endsWith(tail);
}
