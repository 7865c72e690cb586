import { type InlineImage, sourceOf } from "../text/images.ts";

/** The images of a prompt or a result. */
export function Images({ images }: { readonly images: readonly InlineImage[] }) {
  if (images.length === 0) return null;
  return (
    <div class="images">
      {images.map((image, index) => (
        <img key={index} src={sourceOf(image)} alt={`Attachment ${index + 1}`} loading="lazy" />
      ))}
    </div>
  );
}
