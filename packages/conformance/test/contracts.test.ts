import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { diffContracts } from "../src/drift/diff.ts";
import { readContract } from "../src/drift/read-contract.ts";

const CONTRACTS = new URL("../contracts/", import.meta.url);

describe.each(readdirSync(CONTRACTS))("the contract %s", (file) => {
  test("belongs to the version in its name, for which a dialect was made", async () => {
    const contract = await readContract(new URL(file, CONTRACTS));
    expect(file).toBe(`claude-${contract.agent.split(" ")[0]}.json`);
    const { before, changes } = diffContracts(contract, contract);
    expect(before.tested).toBe(true);
    expect(changes).toEqual([]);
  });

  test("contains what every host needs: init, an answer and a result", async () => {
    const { messages } = await readContract(new URL(file, CONTRACTS));
    expect(messages).toMatchObject({
      "system/init": { session_id: "string", tools: "array" },
      assistant: { "message.content[text].text": "string" },
      "result/success": { is_error: "boolean", result: "string" },
    });
  });
});
