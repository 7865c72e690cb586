/** One thing that was looked at. */
export interface Finding {
  readonly level: "ok" | "warning" | "problem";
  readonly about: string;
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
}

export const ok = (about: string, text: string): Finding => ({ level: "ok", about, text });

export const warning = (about: string, text: string, advice: string): Finding => ({
  level: "warning",
  about,
  text,
  advice,
});

export const problem = (about: string, text: string, advice: string): Finding => ({
  level: "problem",
  about,
  text,
  advice,
});
