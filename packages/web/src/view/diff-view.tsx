import type { FileEdit } from "@agentwire/view/text";

const MOST_LINES = 400;
const WORDS = { "+": "added", "-": "removed", " ": "" } as const;

/** The diff of a file, cut after a number of lines. */
export function DiffView({ edit: { hunks, path } }: { readonly edit: FileEdit }) {
  let left = MOST_LINES;
  const shown = hunks.map((lines) => {
    const part = lines.slice(0, Math.max(0, left));
    left -= part.length;
    return part;
  });
  const hidden = hunks.reduce((sum, lines) => sum + lines.length, 0) - (MOST_LINES - left);
  return (
    <figure class="diff" tabIndex={0} aria-label={`Changes in ${path}`}>
      {shown.map((lines, hunk) => (
        <table key={hunk}>
          <tbody>
            {lines.map(({ sign, text, number }, index) => (
              <tr key={index} class={WORDS[sign]}>
                {number !== undefined && <td class="line-number">{number}</td>}
                <td class="sign">
                  <span aria-hidden="true">{sign}</span>
                  <span class="hidden">{WORDS[sign]}</span>
                </td>
                <td class="line">{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
      {hidden > 0 && <p class="more-lines">{hidden} more lines</p>}
    </figure>
  );
}
