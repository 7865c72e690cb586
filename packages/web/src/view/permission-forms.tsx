import type { Question } from "@agentwire/api";
import type { Decision } from "../app.ts";
import { editable, edited } from "../text/edited-input.ts";
import { suggestRule } from "../text/suggest-rule.ts";
import { LineForm } from "./line-form.tsx";

/** What a decision still needs: a rule with its scope, edited input, or a reason. */
export type Need = "session" | "project" | "user" | "input" | "reason";

interface FormProps {
  readonly question: Question;
  readonly need: Need;
  readonly onNeed: (need: Need) => void;
  readonly onDecide: (decision: Decision) => void;
  readonly onCancel: () => void;
}

/** Asks for the details of a decision; the defaults can be edited before they are sent. */
export function PermissionForm({ question, need, onNeed, onDecide, onCancel }: FormProps) {
  const allow = (value: Extract<Decision, { case: "allow" }>["value"]) => onDecide({ case: "allow", value });
  switch (need) {
    case "session":
      return (
        <LineForm
          label="Allow until the session ends"
          text={suggestRule(question)}
          action="Allow"
          onCancel={onCancel}
          onDone={(value) => allow({ lasting: { case: "sessionRule", value } })}
        />
      );
    case "project":
    case "user":
      return (
        <LineForm
          label="Always allow"
          text={suggestRule(question)}
          action="Allow and save"
          onCancel={onCancel}
          onDone={(rule) => allow({ lasting: { case: "always", value: { rule, scope: need } } })}
        >
          <select
            aria-label="Scope"
            value={need}
            onChange={(event) => onNeed(event.currentTarget.value === "user" ? "user" : "project")}
          >
            <option value="project">in this project</option>
            <option value="user">in all projects</option>
          </select>
        </LineForm>
      );
    case "input":
      return (
        <LineForm
          label="Input to run instead"
          text={editable(question.inputJson)}
          action="Allow this"
          isLong
          onCancel={onCancel}
          check={(text) =>
            edited(question.inputJson, text) === undefined ? "This is not a JSON object." : ""
          }
          onDone={(text) => {
            const updatedInputJson = edited(question.inputJson, text);
            if (updatedInputJson !== undefined) allow({ updatedInputJson });
          }}
        />
      );
    case "reason":
      return (
        <LineForm
          label="Tell the agent why"
          text=""
          action="Deny"
          onCancel={onCancel}
          onDone={(message) => onDecide({ case: "deny", value: { message } })}
        />
      );
  }
}
