import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { newPlace } from "../place.ts";
import { asDocumented, close, databaseOf, results, startScripted, user } from "./miriad-agent.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/agentwire-agent", import.meta.url));
const OPUS = "claude-opus-4-5-20251101";

/** The documented example session of the miriad dialect. */
const FIRST = `
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"I'll read that file for you."},{"type":"tool_use","id":"call_1","name":"read","input":{"filePath":"/tmp/test.txt"}}],"model":"claude-opus-4-5-20251101"}}
{"type":"system","subtype":"tool_result","tool_result":{"type":"tool_result","tool_use_id":"call_1","content":"Hello from test file!"}}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"The file contains: Hello from test file!"}],"model":"claude-opus-4-5-20251101"}}
{"type":"result","subtype":"success","duration_ms":2500,"is_error":false,"num_turns":1,"session_id":"sess_1","result":"The file contains: Hello from test file!","usage":{"input_tokens":150,"output_tokens":30}}`;
const SECOND = `
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"You're welcome!"}],"model":"claude-opus-4-5-20251101"}}
{"type":"result","subtype":"success","duration_ms":800,"is_error":false,"num_turns":0,"session_id":"sess_1","result":"You're welcome!","usage":{"input_tokens":50,"output_tokens":10}}`;

describe("the miriad dialect", { timeout: 30_000 }, () => {
  test("reproduces its example session line for line", async () => {
    const call = { type: "tool_use", id: "call_1", name: "Read", input: { file_path: "{{cwd}}/test.txt" } };
    const agent = await startScripted({
      steps: [
        {
          model: OPUS,
          content: [{ type: "text", text: "I'll read that file for you." }, call],
          usage: { input_tokens: 70, output_tokens: 20 },
        },
        {
          model: OPUS,
          text: "The file contains: Hello from test file!",
          usage: { input_tokens: 80, output_tokens: 10 },
        },
        { model: OPUS, text: "You're welcome!", usage: { input_tokens: 50, output_tokens: 10 } },
      ],
    });
    const path = join(agent.place.cwd, "test.txt");
    await writeFile(path, "Hello from test file!");
    const inPlace = (text: string) =>
      text
        .trim()
        .replaceAll("/tmp/test.txt", path)
        .split("\n")
        .map((line) => asDocumented(JSON.parse(line)));

    agent.send(user(`Read ${path}`, "sess_1"));
    await results(agent, 1);
    expect(agent.lines.map(asDocumented)).toEqual(inPlace(FIRST));
    agent.send(user("Thanks!", "sess_1"));
    await results(agent, 2);
    expect(agent.lines.map(asDocumented)).toEqual([...inPlace(FIRST), ...inPlace(SECOND)]);
    expect(await close(agent)).toBe(0);
    expect(agent.garbage).toEqual([]);
  });

  test("answers one line from a pipe with a message and a result, and the program exits 0", async () => {
    const place = await newPlace();
    const hello = '{"type":"user","message":{"role":"user","content":"Hello"}}\\n';
    const command = `printf '${hello}' | "${process.execPath}" "${PROGRAM}" --stdio --db ${databaseOf(place)}`;
    const { stdout } = await promisify(execFile)("sh", ["-c", command], { cwd: place.cwd, env: place.env });
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { type: "assistant", message: { role: "assistant", content: [{ type: "text" }] } },
      { type: "result", subtype: "success", is_error: false, num_turns: 0, session_id: "default" },
    ]);
    expect(statSync(databaseOf(place)).mode & 0o777).toBe(0o600);
  });

  test("without --db uses agent.db in the working folder", async () => {
    const place = await newPlace();
    const command = `"${process.execPath}" "${PROGRAM}" --stdio </dev/null`;
    await promisify(execFile)("sh", ["-c", command], { cwd: place.cwd, env: place.env });
    expect(existsSync(join(place.cwd, "agent.db"))).toBe(true);
  });
});
