import { expect, test } from "vitest";
import { editable, edited } from "../../src/text/edited-input.ts";

test("only the command is editable, and its description is kept", () => {
  const input = '{"command":"touch a","description":"makes a"}';
  expect(editable(input)).toBe("touch a");
  expect(edited(input, "touch b\n")).toBe('{"command":"touch b","description":"makes a"}');
});

test("input with other fields is edited as JSON, and must remain an object", () => {
  const input = '{"command":"sleep 9","timeout":5}';
  expect(editable(input)).toBe('{\n  "command": "sleep 9",\n  "timeout": 5\n}');
  expect(edited(input, '{"timeout":1}')).toBe('{"timeout":1}');
  for (const bad of ["", "{", "[]", "null", '"text"']) expect(edited(input, bad)).toBeUndefined();
});
