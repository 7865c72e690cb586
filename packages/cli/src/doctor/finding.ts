/** The result of one check. */
export interface Finding {
  readonly level: "ok" | "warning" | "problem";
  readonly about: string;
  readonly text: string;
  /** How to fix it. */
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
