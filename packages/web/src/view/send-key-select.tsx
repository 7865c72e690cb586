import { useState } from "preact/hooks";
import { chooseSendKey, type SendKey, sendKey } from "../preferences.ts";

/** Chooses the key that sends, for this device. */
export function SendKeySelect() {
  const [key, setKey] = useState(sendKey);
  const choose = (chosen: SendKey) => {
    chooseSendKey(chosen);
    setKey(chosen);
  };
  return (
    <label class="mode">
      Send with
      <select
        value={key}
        onChange={(event) => choose(event.currentTarget.value === "ctrl-enter" ? "ctrl-enter" : "enter")}
      >
        <option value="enter">Enter (Shift+Enter begins a line)</option>
        <option value="ctrl-enter">Ctrl+Enter (Enter begins a line)</option>
      </select>
    </label>
  );
}
