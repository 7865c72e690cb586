const REQUEST = `Stop working on the task now and write a summary of this conversation. It will replace the conversation: whoever continues the work will have nothing else.

Put the summary between <summary> and </summary>. Call no tools. Cover, in this order:
1. What the user asked for: every request, with constraints and preferences, in the user's own words where they matter.
2. What was done: files read, created and changed, with full paths and the code or values that are still needed; commands and what they showed.
3. What was learned: decisions and their reasons, errors and how they were solved, things that were tried and did not work.
4. Where the work stands: what was being done in the last few messages, in detail.
5. What is left: open requests and the very next step, only as far as the user has asked for it.

Be exact with names, numbers and quotes. Leave out pleasantries.`;

/** The prompt that makes the model summarize a conversation; `instructions` are the user's wishes for this summary. */
export function compactionPrompt(instructions?: string): string {
  const extra = instructions?.trim();
  return extra ? `${REQUEST}\n\nThe user wants this for the summary:\n${extra}` : REQUEST;
}

/** The summary in a model's reply: the whole reply if the tags are missing, undefined if it is empty. */
export function readSummary(reply: string): string | undefined {
  const start = reply.indexOf("<summary>");
  const end = reply.lastIndexOf("</summary>");
  const from = start < 0 ? 0 : start + "<summary>".length;
  const summary = reply.slice(from, end < from ? undefined : end).trim();
  return summary === "" ? undefined : summary;
}

/** The text of the first user message after a compaction. */
export function summaryMessage(summary: string): string {
  return `This conversation continues an earlier one that became too long. This summary replaces what was said before:

${summary}

Continue from there, without repeating the summary and without asking what to do unless something is unclear.`;
}
