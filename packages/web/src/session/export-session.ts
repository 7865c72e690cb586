import { exportHtml, exportMarkdown } from "@agentwire/view/export";
import { storedTimeline } from "@agentwire/view/timeline";
import type { Client } from "../client.ts";

/** The formats in which a session can be saved. */
export type ExportFormat = "html" | "markdown";

const FORMATS = {
  html: { type: "text/html", ending: "html", write: exportHtml },
  markdown: { type: "text/markdown", ending: "md", write: exportMarkdown },
} as const;

/** Saves a whole session as one file to share, with recognized secrets removed. */
export async function saveSession(
  { sessions }: Client,
  sessionId: string,
  title: string,
  format: ExportFormat,
): Promise<void> {
  const items = await storedTimeline(sessions, sessionId);
  const { type, ending, write } = FORMATS[format];
  const url = URL.createObjectURL(new Blob([write(title, items)], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60) || "session"}.${ending}`;
  link.click();
  URL.revokeObjectURL(url);
}
