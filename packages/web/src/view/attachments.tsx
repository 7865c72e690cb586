import { type InlineImage, sourceOf } from "../text/images.ts";

interface AttachedProps {
  readonly images: readonly InlineImage[];
  readonly onChange: (images: readonly InlineImage[]) => void;
}

/** Images that go with the next prompt, and can still be left out. */
export function Attached({ images, onChange }: AttachedProps) {
  if (images.length === 0) return null;
  return (
    <ul class="attached" aria-label="Attached images">
      {images.map((image, index) => (
        <li key={index}>
          <img src={sourceOf(image)} alt={`To be sent ${index + 1}`} />
          <button
            type="button"
            class="small"
            aria-label={`Remove image ${index + 1}`}
            onClick={() => onChange(images.filter((each) => each !== image))}
          >
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Chooses images that go with the next prompt. */
export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  return (
    <label class="button" title="Attach images; they can also be pasted or dropped">
      <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
        <rect x="2.5" y="3.5" width="15" height="13" rx="2" />
        <circle cx="7" cy="8" r="1.5" />
        <path d="m3 14 4-3.5 3 2.5 3.5-4 3.5 4" />
      </svg>
      <input
        type="file"
        class="hidden"
        aria-label="Attach images"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        onChange={({ currentTarget: input }) => {
          onFiles([...(input.files ?? [])]);
          // The same file can be chosen again.
          input.value = "";
        }}
      />
    </label>
  );
}
