/** The error message of a page or dialog; renders nothing if there is none. */
export function Problem({ text }: { readonly text: string }) {
  if (text === "") return null;
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}
