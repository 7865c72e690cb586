import { describe, expect, test } from "vitest";
import { makeRig, outcome } from "./rig.ts";

describe("a command that removes the project or more", () => {
  test.each(["rm -rf /", "rm -rf .", "rm -r ..", "rm -rf ~", "rm -rf /*", "ls; rm -rf ."])(
    "is asked about, without an offer to always allow it: %s",
    async (command) => {
      const rig = await makeRig({ mode: "acceptEdits" });
      expect(await outcome(rig, "Bash", { command })).toBe("ask");
      expect(rig.asked[0]).toMatchObject({
        decision_reason_type: "safetyCheck",
        classifier_approvable: false,
        suppress_always_allow_rule: true,
        permission_suggestions: [],
      });
    },
  );
});
