import type { ReadFileResponse, WorkspaceService } from "@agentwire/api";
import type { Client } from "@connectrpc/connect";
import { useEffect, useMemo, useState } from "preact/hooks";
import { textOfError } from "../client.ts";
import { bytes, many } from "../text/words.ts";
import { CopyButton } from "./copy-button.tsx";
import { Problem } from "./problem.tsx";
import { useHighlighter } from "./use-highlighter.ts";

interface FileViewProps {
  readonly workspace: Client<typeof WorkspaceService>;
  readonly sessionId: string;
  readonly path: string;
  readonly onBack: () => void;
}

/** How many lines are drawn at first; drawing more would be noticeably slow. */
const FIRST_LINES = 2000;

/** One file: text is highlighted, images are displayed, and other binary files show only their size. */
export function FileView({ workspace, sessionId, path, onBack }: FileViewProps) {
  const [file, setFile] = useState<ReadFileResponse | undefined>(undefined);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    workspace.readFile({ sessionId, path }).then(setFile, (error) => setProblem(textOfError(error)));
  }, []);
  return (
    <>
      <header class="file-head">
        <button type="button" class="small quiet narrow-only" onClick={onBack}>
          ‹ Files
        </button>
        <strong>{path}</strong>
        {file && <span class="why">{bytes(Number(file.size))}</span>}
        {file && !file.binary && <CopyButton text={file.text} />}
      </header>
      <Problem text={problem} />
      {!file && problem === "" && <p class="why">Loading…</p>}
      {file && <Content file={file} path={path} />}
    </>
  );
}

function Content({ file, path }: { readonly file: ReadFileResponse; readonly path: string }) {
  const { image, mediaType, binary, text, size } = file;
  const [isWhole, setWhole] = useState(false);
  const highlighter = useHighlighter();
  const lines = useMemo(
    () =>
      highlighter?.highlightLines(text, highlighter.languageOf(path)) ??
      text.split("\n").map((line) => [{ text: line, kind: "" }]),
    [highlighter, text],
  );
  if (image.length > 0) return <Picture image={image} mediaType={mediaType} path={path} />;
  if (binary) return <p class="why">This is not a text file.</p>;
  if (size === 0n) return <p class="why">This file is empty.</p>;
  const isEnded = text.endsWith("\n");
  const whole = isEnded ? lines.slice(0, -1) : lines;
  const shown = isWhole ? whole : whole.slice(0, FIRST_LINES);
  return (
    <>
      <table class="file-lines">
        <tbody>
          {shown.map((pieces, index) => (
            <tr key={index}>
              <td class="line-number">{index + 1}</td>
              <td class="line">
                {pieces.map(({ text: words, kind }, at) =>
                  kind === "" ? (
                    words
                  ) : (
                    <span key={at} class={kind}>
                      {words}
                    </span>
                  ),
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < whole.length && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show {many(whole.length - shown.length, "more line")}
        </button>
      )}
      {file.truncated && shown.length === whole.length && (
        <p class="why">The file is too large to show in full; this is the beginning.</p>
      )}
    </>
  );
}

interface PictureProps {
  readonly image: Uint8Array;
  readonly mediaType: string;
  readonly path: string;
}

function Picture({ image, mediaType, path }: PictureProps) {
  const [url, setUrl] = useState("");
  useEffect(() => {
    const reader = new FileReader();
    reader.onload = () => setUrl(String(reader.result));
    reader.readAsDataURL(new Blob([image as Uint8Array<ArrayBuffer>], { type: mediaType }));
  }, [image]);
  return url === "" ? null : <img class="file-picture" src={url} alt={path} />;
}
