import type { ConfigScope } from "@agentwire/api";
import { CONFIG_SCOPES } from "../text/tooling-words.ts";

interface ScopeSelectProps {
  readonly value: ConfigScope;
  readonly onChange: (scope: ConfigScope) => void;
}

/** Chooses the configuration file to add something to, by whom it applies to. */
export function ScopeSelect({ value, onChange }: ScopeSelectProps) {
  return (
    <label>
      For
      <select value={value} onChange={(event) => onChange(Number(event.currentTarget.value))}>
        {[...CONFIG_SCOPES].map(([scope, words]) => (
          <option key={scope} value={scope}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
