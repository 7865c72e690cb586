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
