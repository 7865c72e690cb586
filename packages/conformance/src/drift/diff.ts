import { parseVersion } from "@agentwire/protocol/compatibility";
import { dialectForVersion } from "@agentwire/protocol/dialect";
import type { Contract } from "./contract.ts";
import type { FieldFacts } from "./fields.ts";
import { docOf, knowledgeOf, plain, unnamedIn } from "./our-schemas.ts";

/** What can change between two versions of an agent. */
export const CHANGING = ["flag", "capability", "tool", "request", "message", "field", "ordering"];

/** One change. */
export interface Change {
  readonly how: "added" | "removed" | "changed";
  readonly what: (typeof CHANGING)[number];
  readonly name: string;
  readonly before?: string;
  readonly after?: string;
  /** How it affects our schemas, if it does. */
  readonly schema?: "not named by our schemas" | "required by our schemas";
}

/** One of the two versions. */
export interface Side {
  readonly agent: string;
  /** The dialect that we speak with it. */
  readonly dialect: string;
  /** Whether that dialect was tested with this version. */
  readonly tested: boolean;
  /** What the agent writes that our schemas do not name; it is passed on unchanged. */
  readonly unnamed: readonly string[];
}

/** The changes from one version to another. */
export interface Drift {
  readonly before: Side;
  readonly after: Side;
  readonly changes: readonly Change[];
}

/** Compares two contracts. */
export function diffContracts(before: Contract, after: Contract): Drift {
  return {
    before: sideOf(before),
    after: sideOf(after),
    changes: [
      ...lists("flag", before.flags, after.flags),
      ...lists("capability", before.capabilities, after.capabilities),
      ...lists("tool", before.tools, after.tools),
      ...records("request", answered(before), answered(after)),
      ...messages(before.messages, after.messages),
      ...records("ordering", before.orderings, after.orderings),
    ],
  };
}

function sideOf(contract: Contract): Side {
  const { dialect, tested } = dialectForVersion(parseVersion(contract.agent));
  return { agent: contract.agent, dialect: dialect.name, tested, unnamed: unnamedIn(contract) };
}

function lists(what: Change["what"], before: readonly string[], after: readonly string[]): readonly Change[] {
  const removed = before.filter((name) => !after.includes(name));
  const added = after.filter((name) => !before.includes(name));
  return [
    ...added.map((name) => ({ how: "added", what, name }) as const),
    ...removed.map((name) => ({ how: "removed", what, name }) as const),
  ];
}

/** A request without an answer counts as one that was never sent. */
function answered({ requests }: Contract): Texts {
  return Object.fromEntries(Object.entries(requests).filter(([, fate]) => fate !== "no answer"));
}

type Texts = Readonly<Record<string, string>>;

function records(what: Change["what"], before: Texts, after: Texts): readonly Change[] {
  return namesIn(before, after).flatMap((name): readonly Change[] => {
    const [old, current] = [own(before, name), own(after, name)];
    if (old === current) return [];
    if (old === undefined) return [{ how: "added", what, name, ...(current && { after: current }) }];
    if (current === undefined) return [{ how: "removed", what, name, before: old }];
    return [{ how: "changed", what, name, before: old, after: current }];
  });
}

function messages(before: Contract["messages"], after: Contract["messages"]): readonly Change[] {
  return namesIn(before, after).flatMap((kind): readonly Change[] => {
    const [old, current] = [own(before, kind), own(after, kind)];
    const known = docOf(kind) !== undefined;
    if (old === undefined)
      return [
        { how: "added", what: "message", name: kind, ...(!known && { schema: "not named by our schemas" }) },
      ];
    return current === undefined
      ? [{ how: "removed", what: "message", name: kind }]
      : fields(kind, old, current);
  });
}

/** Fields below an added or removed field belong to it. */
function fields(kind: string, before: FieldFacts, after: FieldFacts): readonly Change[] {
  const found = records("field", byPath(before), byPath(after));
  const whole = found.filter(({ how }) => how !== "changed").map(({ name }) => name);
  return found
    .filter(({ name }) => !whole.some((path) => name.startsWith(`${path}.`) || name.startsWith(`${path}[`)))
    .map((change) => ({ ...change, name: `${kind}: ${change.name}`, ...concern(kind, change) }));
}

function concern(kind: string, { how, name, after }: Change): Pick<Change, "schema"> {
  const doc = docOf(kind);
  const knowledge = doc === undefined ? "open" : knowledgeOf(doc, name);
  if (how === "added" && knowledge === "unnamed") return { schema: "not named by our schemas" };
  const mayBeAbsent = how === "removed" || after?.endsWith(SOMETIMES) === true;
  return knowledge === "required" && mayBeAbsent ? { schema: "required by our schemas" } : {};
}

const SOMETIMES = ", sometimes";

/** The types of each field by its path, and whether it is always present. */
function byPath(facts: FieldFacts): Texts {
  return Object.fromEntries(
    Object.entries(facts).map(([path, types]) => [
      plain(path),
      path.endsWith("?") ? types + SOMETIMES : types,
    ]),
  );
}

function namesIn(before: object, after: object): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
}

const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
