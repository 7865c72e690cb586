/** What is wrong with a field, below it; nothing while nothing is. */
export function FieldProblem({ id, text }: { readonly id: string; readonly text: string }) {
  if (text === "") return null;
  return (
    <p class="field-problem" id={id} role="alert">
      {text}
    </p>
  );
}
