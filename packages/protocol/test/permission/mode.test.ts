import { expect, test } from "vitest";
import { PERMISSION_MODES, permissionMode, toPermissionMode } from "../../src/permission/mode.ts";

test.each(PERMISSION_MODES)("%s is a mode", (mode) => {
  expect(toPermissionMode(mode)).toBe(mode);
  expect(permissionMode.accepts(mode)).toBe(true);
});

test("manual is another name for default", () => {
  expect(toPermissionMode("manual")).toBe("default");
});

test.each(["", "Plan", "bypass", "toString", "__proto__"])("%j is not a mode", (name) => {
  expect(toPermissionMode(name)).toBeUndefined();
  expect(permissionMode.accepts(name)).toBe(false);
});
