/** The index of the words in events. */
export interface SearchIndex {
  /** The events that contain all of the words, latest first. */
  find(query: IndexQuery): Promise<readonly IndexedPlace[]>;
  /** The number of a session's last indexed event; 0 if there is none. */
  indexedTo(sessionId: string): Promise<number>;
  /** Sessions with unindexed events, the most recently used ones last. */
  behind(limit: number): Promise<readonly string[]>;
}

/** A query of the index. */
export interface IndexQuery {
  /** Prefixes of words, as returned by `wordsOf`. */
  readonly words: readonly string[];
  /** Empty for all sessions. */
  readonly sessionId: string;
  /** Only places before this one, the last of the previous page; 0 for the first page. */
  readonly before: number;
  readonly limit: number;
}

/** An event in which words were found. */
export interface IndexedPlace {
  /** Its place in the index; later events have higher places. */
  readonly place: number;
  readonly sessionId: string;
  readonly seq: number;
}

/** The words of an event to be indexed. */
export interface IndexedText {
  readonly seq: number;
  readonly words: readonly string[];
}

/** Longer words are cut: nobody types more of one. */
const MAX_WORD = 40;
/** A word in a text: letters and digits of any script, with the marks on them. */
export const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const ONLY_ASCII = /^[\0-\x7f]*$/;

/** A word in the form in which it is compared: without case and without marks. */
export function plainWord(word: string): string {
  const plain = ONLY_ASCII.test(word) ? word : word.normalize("NFKD").replace(/[^\p{L}\p{N}]/gu, "");
  return plain.toLowerCase().slice(0, MAX_WORD);
}

/** The distinct words of a text. */
export function wordsOf(text: string): readonly string[] {
  const words = new Set<string>();
  for (const [word] of text.matchAll(WORD)) words.add(plainWord(word));
  words.delete("");
  return [...words];
}
