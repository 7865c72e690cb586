import { CHANGING, type Change, type Drift, type Side } from "./diff.ts";

const SIGNS = { added: "+", removed: "-", changed: "~" } as const;

/** What happened between two versions, for people. */
export function printDrift(drift: Drift): string {
  const sections = CHANGING.map((what) => drift.changes.filter((change) => change.what === what)).filter(
    (changes) => changes.length > 0,
  );
  return [
    `${drift.before.agent} → ${drift.after.agent}\n`,
    ...sections.map((changes) => `\n${titleOf(changes)}\n${changes.map(printChange).join("")}`),
    `\nour side\n${printSide(drift.before)}${printSide(drift.after)}`,
  ].join("");
}

const titleOf = ([first]: readonly Change[]) =>
  first?.what === "capability" ? "capabilities" : `${first?.what}s`;

function printChange({ how, name, before, after, schema }: Change): string {
  const values = [before, after].filter((value) => value !== undefined).join(" → ");
  return `  ${SIGNS[how]} ${name}${values && `: ${values}`}${schema === undefined ? "" : ` (${schema})`}\n`;
}

function printSide({ agent, dialect, tested, unnamed }: Side): string {
  const names = unnamed.map((name) => `    ${name}\n`).join("");
  const passedOn = unnamed.length === 0 ? "our schemas name all of it" : "not named by our schemas:";
  return `  ${agent}: dialect ${dialect}${tested ? "" : ", not made for it"}; ${passedOn}\n${names}`;
}
