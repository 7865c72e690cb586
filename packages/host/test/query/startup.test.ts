import { expect, test } from "vitest";
import { prewarm } from "../../src/query/prewarm.ts";
import { startup } from "../../src/query/startup.ts";
import { leftOver, marked } from "../faults/processes.ts";
import { agentFile, readAll } from "../programs/agent-file.ts";

const TURN = "next; answer; next; init; text; result; cat >/dev/null";

test("a warm query is set up before its prompt, and accepts one", async () => {
  const warm = await startup({ options: agentFile(TURN) });
  const talk = warm.query("go");
  expect((await readAll(talk)).types).toEqual(["system", "assistant", "result"]);
  expect(() => warm.query("again")).toThrow(/one prompt/);
});

test("messages that an agent sends before its prompt are not lost", async () => {
  const hook = `{"type":"system","subtype":"hook_started","hook_id":"h","hook_name":"n","hook_event":"SessionStart","uuid":"u","session_id":"s"}`;
  const warm = await startup({
    options: agentFile(`next; echo '${hook}'; answer; next; init; result; cat >/dev/null`),
  });
  expect((await readAll(warm.query("go"))).types).toEqual(["system", "system", "result"]);
});

test("an agent that is not ready in time is stopped with an error", async () => {
  const options = agentFile("cat >/dev/null");
  await expect(startup({ options, initializeTimeoutMs: 100 })).rejects.toMatchObject({
    code: "request_timeout",
  });
  expect(await leftOver(String(options.pathToClaudeCodeExecutable), 10_000)).toEqual([]);
});

test("an explicit limit applies even while start hooks run", async () => {
  const hook = `{"type":"system","subtype":"hook_started","hook_id":"h","hook_name":"n","hook_event":"SessionStart","uuid":"u","session_id":"s"}`;
  const options = agentFile(`next; echo '${hook}'; cat >/dev/null`);
  await expect(startup({ options, initializeTimeoutMs: 300 })).rejects.toMatchObject({
    code: "request_timeout",
  });
});

test("an agent that exits during setup rejects with that error", async () => {
  await expect(startup({ options: agentFile("next; exit 3") })).rejects.toMatchObject({ code: "exited" });
});

test("an unused warm query leaves no process", async () => {
  const options = agentFile(TURN);
  const path = String(options.pathToClaudeCodeExecutable);
  const warm = await startup({ options });
  expect(marked(path)).not.toEqual([]);
  warm.close();
  await warm[Symbol.asyncDispose]();
  expect(await leftOver(path, 10_000)).toEqual([]);
});

const CLAIMED = `printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{"cwd":"/c","session_id":"s","sdk_mcp_settled":true}}}\\n' "$id"`;

test("a spare becomes the session it is claimed for", async () => {
  const options = agentFile(
    `next; answer; next; id=\${line#*'"request_id":"'}; id=\${id%%'"'*}; ${CLAIMED}; next; init; text; result; cat >/dev/null`,
  );
  const spare = await prewarm({ options });
  const talk = spare.claim({ prompt: "go", options: { cwd: "/c" } });
  expect((await readAll(talk)).types).toEqual(["system", "assistant", "result"]);
  expect(await spare.claimed).toEqual({ cwd: "/c", sessionId: "s", sdkMcpSettled: true });
  expect(() => spare.claim({ prompt: "again", options: { cwd: "/c" } })).toThrow();
  await spare.exited;
});

test("a spare that dies unclaimed rejects its claim", async () => {
  const spare = await prewarm({ options: agentFile("next; answer; exit 0") });
  await expect(spare.claimed).rejects.toThrow(/^spare_exited/);
});

test("a claim that the agent refuses rejects", async () => {
  const refused = `printf '{"type":"control_response","response":{"subtype":"error","request_id":"%s","error":"cwd_not_found"}}\\n' "$id"`;
  const options = agentFile(
    `next; answer; next; id=\${line#*'"request_id":"'}; id=\${id%%'"'*}; ${refused}; cat >/dev/null`,
  );
  const spare = await prewarm({ options });
  spare.claim({ prompt: "go", options: { cwd: "/nowhere" } });
  await expect(spare.claimed).rejects.toThrow(/cwd_not_found/);
  await spare[Symbol.asyncDispose]();
});

test("a spare has no session to resume", async () => {
  await expect(prewarm({ options: { resume: "x" } })).rejects.toMatchObject({ code: "invalid_option" });
});
