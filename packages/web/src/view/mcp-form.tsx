import { ConfigScope, ToolingService } from "@agentwire/api";
import { useState } from "preact/hooks";
import type { App } from "../app.ts";
import { wordsOf } from "../text/tooling-words.ts";
import { ScopeSelect } from "./scope-select.tsx";
import { ADD, ToolForm, useSubmission } from "./tool-form.tsx";

interface McpFormProps {
  readonly app: App;
  readonly cwd: string;
  readonly onAdded: () => void;
}

const URL_START = /^https?:\/\//;

/** Adds an MCP server by command or URL. */
export function McpForm({ app, cwd, onAdded }: McpFormProps) {
  const [name, setName] = useState("");
  const [target, setTarget] = useState("");
  const [secrets, setSecrets] = useState("");
  const [scope, setScope] = useState(ConfigScope.LOCAL);
  const isUrl = URL_START.test(target.trim());
  const submission = useSubmission(async () => {
    const command = isUrl ? [] : wordsOf(target);
    const pairs = secrets.split("\n").filter((line) => line.trim() !== "");
    const odd = pairs.find((line) => !/^[\w-]+\s*[=:]/.test(line));
    if (!command) return { field: "command", text: "The command has an unclosed quote." };
    if (odd !== undefined) return { field: "secrets", text: `Expected NAME=value: ${odd}` };
    await app.client.connect(ToolingService).setMcpServer({
      ...{ cwd, scope, name: name.trim(), command: [...command], url: isUrl ? target.trim() : "" },
      secrets: Object.fromEntries(pairs.map(pairOf)),
    });
    setName("");
    setTarget("");
    setSecrets("");
    onAdded();
    return undefined;
  });
  return (
    <ToolForm {...submission} label="New server" title="New server" action={ADD}>
      <div class="fields">
        <label>
          Name
          <input
            required
            value={name}
            spellcheck={false}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <ScopeSelect value={scope} onChange={setScope} />
      </div>
      <label>
        Command or URL
        <input
          required
          value={target}
          placeholder="node server.js, or https://example.com/mcp"
          spellcheck={false}
          onInput={(event) => setTarget(event.currentTarget.value)}
        />
      </label>
      <label>
        {isUrl ? "Headers" : "Environment variables"}
        <textarea
          rows={2}
          value={secrets}
          placeholder={isUrl ? "Authorization: Bearer …" : "API_KEY=…"}
          spellcheck={false}
          onInput={(event) => setSecrets(event.currentTarget.value)}
        />
      </label>
    </ToolForm>
  );
}

function pairOf(line: string): readonly [string, string] {
  const [, name = "", value = ""] = /^\s*([\w-]+)\s*[=:]\s*(.*)$/.exec(line) ?? [];
  return [name, value];
}
