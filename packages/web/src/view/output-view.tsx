import { useState } from "preact/hooks";

const FEW_LINES = 30;
const FEW_CHARS = 6000;

/** What came of a call; long output begins short. */
export function OutputView({ text, isError }: { readonly text: string; readonly isError: boolean }) {
  const [isWhole, setWhole] = useState(false);
  if (text === "") return null;
  const lines = text.split("\n", FEW_LINES + 1);
  const isLong = lines.length > FEW_LINES || text.length > FEW_CHARS;
  const shown = isWhole || !isLong ? text : lines.slice(0, FEW_LINES).join("\n").slice(0, FEW_CHARS);
  return (
    <div class={`output ${isError ? "error" : ""}`}>
      <pre tabIndex={0}>{shown}</pre>
      {isLong && (
        <button type="button" class="small quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : "Show all of it"}
        </button>
      )}
    </div>
  );
}
