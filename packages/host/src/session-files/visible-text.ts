/** Invisible characters: they can hide instructions or make two tags look the same. */
const HIDDEN = /[\p{Cf}\p{Co}\p{Cn}]/gu;

/** A text in its plainest form, without invisible characters. */
export const withoutHidden = (text: string): string => text.normalize("NFKC").replace(HIDDEN, "");
