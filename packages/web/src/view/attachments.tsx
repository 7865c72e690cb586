import type { Attachment } from "../text/attachments.ts";
import { sourceOf } from "../text/images.ts";

interface AttachedProps {
  readonly attachments: readonly Attachment[];
  readonly onChange: (attachments: readonly Attachment[]) => void;
}

/** The files attached to the next prompt, each with a button to remove it. */
export function Attached({ attachments, onChange }: AttachedProps) {
  if (attachments.length === 0) return null;
  return (
    <ul class="attached" aria-label="Attached files">
      {attachments.map((attachment, index) => (
        <li key={index}>
          {attachment.kind === "image" ? (
            <img src={sourceOf(attachment)} alt={`Attachment ${index + 1}`} />
          ) : (
            <span class="attached-file">{attachment.name}</span>
          )}
          <button
            type="button"
            class="small"
            aria-label={`Remove ${attachment.kind === "image" ? "image" : "file"} ${index + 1}`}
            onClick={() => onChange(attachments.filter((each) => each !== attachment))}
          >
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A button that attaches files to the next prompt. */
export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  return (
    <label class="button" title="Attach images, PDFs and text files; they can also be pasted or dropped">
      <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
        <path d="m16.5 9.2-6.9 6.9a4.3 4.3 0 0 1-6.1-6.1l7.4-7.4a2.9 2.9 0 0 1 4.1 4.1l-7.3 7.3a1.4 1.4 0 0 1-2-2l6.5-6.5" />
      </svg>
      <input
        type="file"
        class="hidden"
        aria-label="Attach files"
        multiple
        onChange={({ currentTarget: input }) => {
          onFiles([...(input.files ?? [])]);
          // Lets the same file be chosen again.
          input.value = "";
        }}
      />
    </label>
  );
}
