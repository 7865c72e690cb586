import type { DiffLine, FileEdit } from "@agentwire/view/text";
import { useMemo, useState } from "preact/hooks";
import type { Piece } from "../text/highlighter.ts";
import { sideBySide } from "../text/side-by-side.ts";
import { LineForm } from "./line-form.tsx";
import { useHighlighter } from "./use-highlighter.ts";

/** A review comment on a line. */
export interface Comment {
  readonly path: string;
  readonly line: DiffLine;
  readonly text: string;
}

interface FileProps {
  readonly file: FileEdit;
  readonly isWide: boolean;
  readonly comments: readonly Comment[];
  readonly onComment: (comment: Comment) => void;
  readonly onRemove: (comment: Comment) => void;
  /** Reverts one hunk; absent where that is not possible. */
  readonly onRevertHunk?: ((index: number) => void) | undefined;
}

const MOST_LINES = 2000;

/** The diff of one file in one or two columns, with comments on its lines. */
export function ChangedFile({ file, isWide, comments, onComment, onRemove, onRevertHunk }: FileProps) {
  const total = file.hunks.reduce((sum, { length }) => sum + length, 0);
  const [isWhole, setWhole] = useState(total <= MOST_LINES);
  if (file.hunks.length === 0) return <p class="why">No lines to compare.</p>;
  if (!isWhole)
    return (
      <button type="button" class="quiet" onClick={() => setWhole(true)}>
        Show {total} lines
      </button>
    );
  return (
    <figure class="diff review" tabIndex={0} aria-label={`Changes in ${file.path}`}>
      {file.hunks.map((lines, index) => (
        <Hunk
          key={index}
          path={file.path}
          lines={lines}
          isWide={isWide}
          comments={comments}
          onComment={onComment}
          onRemove={onRemove}
          onRevert={onRevertHunk && (() => onRevertHunk(index))}
        />
      ))}
    </figure>
  );
}

interface HunkProps extends Omit<FileProps, "file" | "onRevertHunk"> {
  readonly path: string;
  readonly lines: readonly DiffLine[];
  readonly onRevert: (() => void) | undefined;
}

function Hunk({ path, lines, isWide, comments, onComment, onRemove, onRevert }: HunkProps) {
  const [asked, setAsked] = useState<DiffLine | undefined>(undefined);
  const colors = useColors(path, lines);
  const columns = isWide ? 6 : 3;
  const rows = isWide
    ? sideBySide(lines)
    : lines.map((line) => ({ before: line.sign === "+" ? undefined : line, after: line }));
  const below = (row: (typeof rows)[number]) => {
    const of = [row.before, row.after];
    const said = comments.filter((comment) => comment.path === path && of.includes(comment.line));
    if (said.length === 0 && !(asked && of.includes(asked))) return null;
    return (
      <tr class="comment-row">
        <td colSpan={columns}>
          {said.map((comment) => (
            <p key={comment.text} class="comment">
              {comment.text}
              <button type="button" class="small quiet" onClick={() => onRemove(comment)}>
                Remove
              </button>
            </p>
          ))}
          {asked && of.includes(asked) && (
            <LineForm
              label={`Comment on line ${asked.number}`}
              text=""
              action="Add"
              isLong
              onCancel={() => setAsked(undefined)}
              onDone={(text) => {
                onComment({ path, line: asked, text });
                setAsked(undefined);
              }}
            />
          )}
        </td>
      </tr>
    );
  };
  return (
    <>
      {onRevert && (
        <p class="hunk-head">
          <button type="button" class="small quiet" onClick={onRevert}>
            Revert hunk
          </button>
        </p>
      )}
      <table class={isWide ? "two-columns" : ""}>
        <tbody>
          {rows.map((row, index) => {
            const cells = { colors, onAsk: setAsked };
            return [
              <tr key={index} class={isWide ? "" : toneOf(row.after)}>
                {isWide && <Cells line={row.before} {...cells} />}
                <Cells line={row.after} {...cells} />
              </tr>,
              below(row),
            ];
          })}
        </tbody>
      </table>
    </>
  );
}

const TONES = { "+": "added", "-": "removed", " ": "" } as const;
const toneOf = (line: DiffLine | undefined) => (line ? TONES[line.sign] : "");

interface CellsProps {
  readonly line: DiffLine | undefined;
  readonly colors: ReadonlyMap<DiffLine, readonly Piece[]>;
  readonly onAsk: (line: DiffLine) => void;
}

function Cells({ line, colors, onAsk }: CellsProps) {
  if (!line)
    return (
      <>
        <td class="line-number" />
        <td class="sign" />
        <td class="line nothing" />
      </>
    );
  const tone = toneOf(line);
  const pieces = colors.get(line) ?? [{ text: line.text, kind: "" }];
  return (
    <>
      <td class={`line-number ${tone}`}>
        <button
          type="button"
          class="line-button"
          aria-label={`Comment on line ${line.number}`}
          onClick={() => onAsk(line)}
        >
          {line.number}
        </button>
      </td>
      <td class={`sign ${tone}`}>
        <span aria-hidden="true">{line.sign}</span>
        <span class="hidden">{tone}</span>
      </td>
      <td class={`line ${tone}`}>
        {pieces.map(({ text, kind }, index) => (
          <span key={index} class={kind}>
            {text}
          </span>
        ))}
      </td>
    </>
  );
}

/** Highlights the lines of a hunk; the old and new versions are highlighted separately. */
function useColors(path: string, lines: readonly DiffLine[]): ReadonlyMap<DiffLine, readonly Piece[]> {
  const highlighter = useHighlighter();
  return useMemo(() => {
    const colors = new Map<DiffLine, readonly Piece[]>();
    const language = highlighter?.languageOf(path);
    if (!highlighter || language === undefined) return colors;
    for (const left of ["+", "-"]) {
      const side = lines.filter(({ sign }) => sign !== left);
      const read = highlighter.highlightLines(side.map(({ text }) => text).join("\n"), language);
      for (const [index, line] of side.entries()) colors.set(line, read[index] ?? []);
    }
    return colors;
  }, [highlighter, path, lines]);
}
