import { readRecordings } from "../recording.ts";
import { THEMES } from "../scenarios/all.ts";
import type { Transcript } from "../transcript.ts";
import { NOT_COVERED } from "./not-covered.ts";
import { SUBJECT_KINDS, SUBJECTS, type SubjectKind, subjectsOf } from "./subjects.ts";

/** Something that the protocol names, and the scenarios that exercise it. */
export interface Covered {
  readonly kind: SubjectKind;
  readonly name: string;
  readonly scenarios: readonly string[];
  /** Why there is no scenario, if there is none. */
  readonly why?: string;
}

/** What the scenarios exercise. */
export async function protocolCoverage(): Promise<readonly Covered[]> {
  return coverage(await readRecordings(THEMES));
}

/** For everything that the protocol names: the recordings that exercise it. */
function coverage(recordings: ReadonlyMap<string, Transcript>): readonly Covered[] {
  const found = new Map<string, Set<string>>();
  for (const [scenario, transcript] of recordings)
    for (const line of transcript)
      for (const [kind, name] of subjectsOf(line)) {
        const key = keyOf(kind, name);
        found.set(key, (found.get(key) ?? new Set()).add(scenario));
      }
  return SUBJECT_KINDS.flatMap((kind) =>
    SUBJECTS[kind].map((name) => {
      const scenarios = [...(found.get(keyOf(kind, name)) ?? [])].sort();
      const why = NOT_COVERED.get(keyOf(kind, name));
      return { kind, name, scenarios, ...(scenarios.length === 0 && why !== undefined && { why }) };
    }),
  );
}

const keyOf = (kind: SubjectKind, name: string) => `${kind}: ${name}`;

const SHOWN = 3;

/** The coverage, one line each, with totals for each kind. */
export function printCoverage(covered: readonly Covered[]): string {
  const width = Math.max(...covered.map(({ name }) => name.length));
  const sections = SUBJECT_KINDS.map((kind) => {
    const rows = covered.filter((one) => one.kind === kind);
    const exercised = rows.filter(({ scenarios }) => scenarios.length > 0).length;
    const lines = rows.map(({ name, ...row }) => `  ${name.padEnd(width)}  ${places(row)}\n`);
    return `${kind}: ${exercised} of ${rows.length}\n${lines.join("")}`;
  });
  return sections.join("\n");
}

function places({ scenarios, why }: Pick<Covered, "scenarios" | "why">): string {
  if (scenarios.length === 0) return `not covered: ${why ?? "no scenario yet"}`;
  const more = scenarios.length > SHOWN ? ` and ${scenarios.length - SHOWN} more` : "";
  return scenarios.slice(0, SHOWN).join(", ") + more;
}
