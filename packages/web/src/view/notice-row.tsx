import type { NoticeItem } from "../timeline/item.ts";

/** Something beside the conversation. */
export function NoticeRow({ item: { tone, text, detail } }: { readonly item: NoticeItem }) {
  return (
    <div class={`notice-row ${tone}`}>
      <p>{text}</p>
      {detail !== "" && (
        <details>
          <summary>What it wrote last</summary>
          <pre>{detail}</pre>
        </details>
      )}
    </div>
  );
}
