import type { ListHooksResponse } from "@agentwire/api";

/** The events that can trigger hooks. */
export type HookEvents = ListHooksResponse["events"];

interface HookEventFieldsProps {
  readonly events: HookEvents;
  readonly event: string;
  readonly onEvent: (event: string) => void;
  readonly label: (field: string) => string;
  /** Placeholders for a field that is a tool name, and for any other field. */
  readonly placeholders: readonly [tool: string, other: string];
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** The field of an event that matchers apply to; empty if there is none. */
export const matchedField = (events: HookEvents, event: string): string =>
  events.find(({ name }) => name === event)?.matchedField ?? "";

/** Selects an event and a value for the field that its matchers apply to. */
export function HookEventFields(props: HookEventFieldsProps) {
  const { events, event, onEvent, label, placeholders, value, onValue } = props;
  const field = matchedField(events, event);
  const [tool, other] = placeholders;
  return (
    <>
      <label>
        Event
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
