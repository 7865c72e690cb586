/** One case of a report for CI systems. */
export interface JunitCase {
  readonly theme: string;
  readonly name: string;
  readonly ms: number;
  /** The problems, one text each; empty if the case passes. */
  readonly failures: readonly string[];
  /** The reason, if it differs deliberately. */
  readonly skipped?: string;
}

/** Prints cases as JUnit XML: one suite for each theme. */
export function printJunit(name: string, cases: readonly JunitCase[]): string {
  const themes = [...new Set(cases.map(({ theme }) => theme))].sort();
  const suites = themes.map((theme) =>
    suite(
      theme,
      cases.filter((one) => one.theme === theme),
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes({ name: `agentwire conformance ${name}`, ...counts(cases) })}>\n${suites.join("")}</testsuites>\n`;
}

function suite(name: string, cases: readonly JunitCase[]): string {
  return `  <testsuite ${attributes({ name, ...counts(cases) })}>\n${cases.map(testCase).join("")}  </testsuite>\n`;
}

function testCase({ theme, name, ms, failures, skipped }: JunitCase): string {
  const head = attributes({ name, classname: theme, time: seconds(ms) });
  const [first] = failures;
  if (skipped !== undefined)
    return `    <testcase ${head}><skipped ${attributes({ message: skipped })}/></testcase>\n`;
  if (first === undefined) return `    <testcase ${head}/>\n`;
  return `    <testcase ${head}><failure ${attributes({ message: first })}>${escapeXml(failures.join("\n"))}</failure></testcase>\n`;
}

function counts(cases: readonly JunitCase[]) {
  return {
    tests: cases.length,
    failures: cases.filter(({ failures, skipped }) => failures.length > 0 && skipped === undefined).length,
    skipped: cases.filter(({ skipped }) => skipped !== undefined).length,
    time: seconds(cases.reduce((sum, { ms }) => sum + ms, 0)),
  };
}

const seconds = (ms: number) => (ms / 1000).toFixed(3);

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(String(value))}"`)
    .join(" ");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** XML can't represent most control characters, not even escaped. */
function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
  return clean.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
