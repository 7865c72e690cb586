/** What went wrong with a page or a dialog as a whole; nothing while nothing has. */
export function Problem({ text }: { readonly text: string }) {
  if (text === "") return null;
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}
