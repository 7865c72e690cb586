import { expect, test } from "vitest";
import { oneLineEnd } from "../../src/render/plain.ts";
import { table } from "../../src/render/table.ts";
import { widthOf } from "../../src/terminal/width.ts";

test("no table cell can look like a separate row", () => {
  expect(
    table([
      ["ID", "NAME"],
      ["1", "evil\n2  admin"],
    ]),
  ).toBe("ID  NAME\n1   evil 2  admin\n");
});

test.each([5, 12, 20, 40])("no row is wider than %i columns, however wide its characters are", (columns) => {
  const rows = table(
    [
      ["ID", "TITLE"],
      ["1", "とても長いタイトルです"],
      ["2", "👩‍💻 e\u0301 plain text"],
    ],
    columns,
  );
  for (const row of rows.trimEnd().split("\n")) expect(widthOf(row)).toBeLessThanOrEqual(columns);
});

test.each([
  ["/home/ada/project", 40, "/home/ada/project"],
  ["/home/ada/project", 8, "…project"],
  ["/odd\n\u001b[2Jname", 40, "/odd \\u001b[2Jname"],
])("a path is shortened at its start: %j in %i", (path, most, shown) => {
  expect(oneLineEnd(path, most)).toBe(shown);
});
