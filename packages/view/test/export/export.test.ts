import { expect, test } from "vitest";
import { exportHtml, exportMarkdown } from "../../src/export/index.ts";
import { Timeline } from "../../src/timeline/index.ts";
import { called, Events, prompted, result, said, turnOver } from "../timeline/events.ts";

const SECRET = `sk-ant-api03-${"A1b2C3d4".repeat(10)}`;

function items() {
  const events = new Events();
  return new Timeline().add([
    events.next(prompted("p", "use <b>my key</b> & go")),
    events.next(called("t", "Bash", { command: `curl -H "x-api-key: ${SECRET}" http://a.test` })),
    events.next(said("n", "inside"), { parent: "t" }),
    events.next(result("t", `\x1b[31mred\x1b[0m ${SECRET}\n\`\`\`\nfence`)),
    events.next(
      said(
        "m",
        "# Done\n\n- [x] one\n\n| a | b |\n| :- | -: |\n| 1 | **2** |\n\n<script>alert(1)</script> [x](javascript:alert(1)) `code`",
      ),
    ),
    events.next(turnOver),
  ]);
}

test("exports a conversation as one page without scripts, with its text escaped and secrets removed", () => {
  const html = exportHtml("A </title> talk", items());
  expect(html).toContain("<title>A &lt;/title&gt; talk</title>");
  expect(html).toContain("use &lt;b&gt;my key&lt;/b&gt; &amp; go");
  expect(html).toContain("<h1>Done</h1>");
  expect(html).toContain('<td style="text-align:right"><strong>2</strong></td>');
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(html).not.toMatch(/<script|href="javascript|https?:\/\/(?!a\.test)/);
  for (const left of [SECRET, "\x1b"]) expect(html).not.toContain(left);
});

test("exports a conversation as Markdown with intact fences and secrets removed", () => {
  const text = exportMarkdown("A\ntalk", items());
  expect(text).toMatch(/^# A talk\n\n## Prompt\n\nuse <b>my key<\/b> & go\n/);
  expect(text).toContain("````\nred ");
  expect(text).toContain("> inside");
  expect(text).not.toContain(SECRET);
});
