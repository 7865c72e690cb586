/** The words of what was said, and where. */
export interface SearchIndex {
  /** Where all of the words occur, latest first. */
  find(query: IndexQuery): Promise<readonly IndexedPlace[]>;
  /** The number of the last event of a session that was looked through; 0 before the first. */
  indexedTo(sessionId: string): Promise<number>;
  /** Sessions with events that were not looked through, those that were used last at the end. */
  behind(limit: number): Promise<readonly string[]>;
}

/** What is looked for. */
export interface IndexQuery {
  /** As `wordsOf` gives them: the beginnings of words. */
  readonly words: readonly string[];
  /** Empty for all sessions. */
  readonly sessionId: string;
  /** Only what is before the last place of the page before; 0 for the first page. */
  readonly before: number;
  readonly limit: number;
}

/** An event in which words were found. */
export interface IndexedPlace {
  /** Its place in the index, where what was said later is higher. */
  readonly place: number;
  readonly sessionId: string;
  readonly seq: number;
}

/** The words of an event, on their way to the index. */
export interface IndexedText {
  readonly seq: number;
  readonly words: readonly string[];
}

/** Longer words are cut: nobody types more of one. */
const MAX_WORD = 40;
/** A word in a text: letters and digits of any script, with the marks on them. */
export const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const ONLY_ASCII = /^[\0-\x7f]*$/;

/** A word as it is compared: without case and without marks. */
export function plainWord(word: string): string {
  const plain = ONLY_ASCII.test(word) ? word : word.normalize("NFKD").replace(/[^\p{L}\p{N}]/gu, "");
  return plain.toLowerCase().slice(0, MAX_WORD);
}

/** The different words of a text. */
export function wordsOf(text: string): readonly string[] {
  const words = new Set<string>();
  for (const [word] of text.matchAll(WORD)) words.add(plainWord(word));
  words.delete("");
  return [...words];
}
