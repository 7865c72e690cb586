import type { ExcerptPart } from "@agentwire/api";

/** An excerpt with the search matches highlighted. */
export function Marked({ parts }: { readonly parts: readonly ExcerptPart[] }) {
  return (
    <span class="excerpt">
      {parts.map(({ text, match }, index) => (match ? <mark key={index}>{text}</mark> : text))}
    </span>
  );
}
