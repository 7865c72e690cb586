/** The error message below a form field; renders nothing if there is none. */
export function FieldProblem({ id, text }: { readonly id: string; readonly text: string }) {
  if (text === "") return null;
  return (
    <p class="field-problem" id={id} role="alert">
      {text}
    </p>
  );
}
