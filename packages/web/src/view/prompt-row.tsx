import { PromptState } from "@agentwire/api";
import { imagesOf } from "../text/images.ts";
import type { PromptItem } from "../timeline/item.ts";
import { Images } from "./images.tsx";

/** What somebody asked, and what became of it. */
export function PromptRow({ item }: { readonly item: PromptItem }) {
  const images = imagesOf(item.contentJson);
  return (
    <div class={`prompt-bubble ${item.state === PromptState.CANCELLED ? "cancelled" : ""}`}>
      {item.text !== "" && <p class="prompt-text">{item.text}</p>}
      <Images images={images} />
      <p class="byline">
        {item.client}
        {item.state === PromptState.QUEUED && <span class="tag">queued</span>}
        {item.state === PromptState.CANCELLED && <span class="tag">taken back</span>}
      </p>
    </div>
  );
}
