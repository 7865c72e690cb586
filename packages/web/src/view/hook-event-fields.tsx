import type { ListHooksResponse } from "@agentwire/api";

/** The events that hooks run at. */
export type HookEvents = ListHooksResponse["events"];

interface HookEventFieldsProps {
  readonly events: HookEvents;
  readonly event: string;
  readonly onEvent: (event: string) => void;
  readonly label: (field: string) => string;
  /** What to type where the field is the name of a tool, and where it is another. */
  readonly placeholders: readonly [tool: string, other: string];
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** What of an event a matcher is compared with; empty for none. */
export const matchedField = (events: HookEvents, event: string): string =>
  events.find(({ name }) => name === event)?.matchedField ?? "";

/** An event, and what to compare with the field that its matchers look at. */
export function HookEventFields(props: HookEventFieldsProps) {
  const { events, event, onEvent, label, placeholders, value, onValue } = props;
  const field = matchedField(events, event);
  const [tool, other] = placeholders;
  return (
    <>
      <label>
        At
        <select value={event} onChange={({ currentTarget }) => onEvent(currentTarget.value)}>
          {events.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {field !== "" && (
        <label>
          {label(field)}
          <input
            value={value}
            placeholder={field === "tool_name" ? tool : other}
            spellcheck={false}
            onInput={({ currentTarget }) => onValue(currentTarget.value)}
          />
        </label>
      )}
    </>
  );
}
