import { type ToolInput, textField } from "@agentwire/view/text";
import { Markdown } from "./markdown.tsx";

/** The complete input of a call. */
export function InputView({ name, input }: { readonly name: string; readonly input: ToolInput }) {
  const command = textField(input, "command");
  const plan = textField(input, "plan");
  if (name === "ExitPlanMode" && plan !== "") return <Markdown text={plan} />;
  if (command !== "")
    return (
      <>
        <pre class="command" tabIndex={0}>
          <span class="prompt-sign">$ </span>
          {command}
        </pre>
        <Fields input={input} except="command" />
      </>
    );
  return <Fields input={input} except="" />;
}

function Fields({ input, except }: { readonly input: ToolInput; readonly except: string }) {
  const fields = Object.entries(input).filter(([name]) => name !== except);
  if (fields.length === 0) return null;
  return (
    <dl class="fields-list">
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === "string" ? value : JSON.stringify(value, null, 2)}</dd>
        </div>
      ))}
    </dl>
  );
}
