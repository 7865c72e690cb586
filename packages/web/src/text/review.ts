import type { FileEdit } from "@agentwire/view/text";

/** A review comment on a line. */
interface Remark {
  readonly path: string;
  readonly line: { readonly number?: number | undefined; readonly sign: string; readonly text: string };
  readonly text: string;
}

/** A prompt with review comments and the lines they refer to. */
export function reviewPrompt(comments: readonly Remark[]): string {
  const parts = comments.map(({ path, line, text }) => {
    const removed = line.sign === "-" ? " (removed)" : "";
    return `${path}:${line.number ?? ""}${removed}\n> ${line.text.trim()}\n${text}`;
  });
  return `Please address these review comments on the changes:\n\n${parts.join("\n\n")}`;
}

/** The total numbers of lines added and removed in some files. */
export const totals = (files: readonly FileEdit[]): { readonly added: number; readonly removed: number } => ({
  added: files.reduce((sum, { added }) => sum + added, 0),
  removed: files.reduce((sum, { removed }) => sum + removed, 0),
});

/** A default commit message: the first line of the session's title or prompt, cut to the usual length. */
export function suggestedMessage(title: string): string {
  const [first = ""] = title.trim().split("\n");
  return first.length > 72 ? `${first.slice(0, 71).trimEnd()}…` : first;
}
