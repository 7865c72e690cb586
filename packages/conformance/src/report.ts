import type { Difference } from "./compare/compare.ts";
import type { JunitCase } from "./junit.ts";
import type { ScenarioScore, ScenarioStatus } from "./score.ts";

/** One line about a scenario, with its first hard difference; with `all`, every difference below it. */
export function printOutcome(outcome: ScenarioScore, all = false): string {
  const { verdict, scenario, hard, soft, why, leftOver } = outcome;
  const notes = [
    ...(why ? [`deviates on purpose: ${why}`] : []),
    ...(hard[0] && !why && !all ? [printDifference(hard[0])] : []),
    ...(hard.length > 1 && !why && !all ? [`and ${hard.length - 1} more`] : []),
    ...(hard.length === 0 && soft.length > 0 ? [`${soft.length} soft`] : []),
    ...leftOver.map((command) => `left running: ${command}`),
  ];
  const head = `${verdict.padEnd(10)} ${scenario}${notes.length > 0 ? `  ${notes.join("; ")}` : ""}\n`;
  const details = all ? [...hard, ...soft].map((difference) => `  ${printDifference(difference)}\n`) : [];
  return head + details.join("");
}

function printDifference({ severity, text, lines }: Difference): string {
  const where = [
    ...(lines.expected ? [`recording line ${lines.expected}`] : []),
    ...(lines.actual ? [`transcript line ${lines.actual}`] : []),
  ];
  return `${severity}: ${text}${where.length > 0 ? ` (${where.join(", ")})` : ""}`;
}

/** The score by theme. */
export function printTable(outcomes: readonly ScenarioScore[]): string {
  const themes = [...new Set(outcomes.map(({ theme }) => theme))].sort();
  const rows = [
    ...themes.map((theme) =>
      row(
        theme,
        outcomes.filter((outcome) => outcome.theme === theme),
      ),
    ),
    row("all", outcomes),
  ];
  const header = ["theme", "match", "deviation", "mismatch", "score"];
  const widths = header.map((title, i) =>
    Math.max(title.length, ...rows.map((cells) => cells[i]?.length ?? 0)),
  );
  const print = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join("  ");
  return `${[header, ...rows].map(print).join("\n")}\n`;
}

function row(name: string, outcomes: readonly ScenarioScore[]): readonly string[] {
  const { match, deviation, mismatch } = count(outcomes);
  return [name, String(match), String(deviation), String(mismatch), `${percent(outcomes)} %`];
}

/** The number of scenarios with each status. */
function count(outcomes: readonly ScenarioScore[]): Readonly<Record<ScenarioStatus, number>> {
  const of = (wanted: ScenarioStatus) => outcomes.filter(({ verdict }) => verdict === wanted).length;
  return { match: of("match"), deviation: of("deviation"), mismatch: of("mismatch") };
}

/** The percentage of scenarios that match, rounded down: 100 means all. */
export function percent(outcomes: readonly ScenarioScore[]): number {
  return outcomes.length === 0 ? 0 : Math.floor((100 * count(outcomes).match) / outcomes.length);
}

/** The score of a subject as JSON, with every difference. */
export function jsonReport(subject: object, outcomes: readonly ScenarioScore[]): string {
  const report = {
    ...subject,
    total: outcomes.length,
    ...count(outcomes),
    percent: percent(outcomes),
    scenarios: outcomes,
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** The case of a scenario in a report for CI systems. */
export function junitCase({ theme, scenario, hard, ms, why }: ScenarioScore): JunitCase {
  const failures = hard.map(printDifference);
  return { theme, name: scenario, ms, failures, ...(why !== undefined && { skipped: why }) };
}
