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
            aria-label={`Leave out image ${index + 1}`}
            onClick={() => onChange(images.filter((each) => each !== image))}
          >
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}
