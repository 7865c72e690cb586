import type { ExcerptPart } from "@agentwire/api";

/** An excerpt with the words that were looked for set off. */
export function Marked({ parts }: { readonly parts: readonly ExcerptPart[] }) {
  return (
    <span class="excerpt">
      {parts.map(({ text, match }, index) => (match ? <mark key={index}>{text}</mark> : text))}
    </span>
  );
}
