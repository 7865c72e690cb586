import type * as ours from "@agentwire/host";
import type * as theirs from "@anthropic-ai/claude-agent-sdk";
import type { Fits } from "./same-type.ts";

/** The official class has private fields, so no other class is assignable to it; its methods are compared below. */
type Nominal = "InMemorySessionStore";

type Theirs = Omit<typeof theirs, Nominal>;
type Ours = Pick<typeof ours, keyof Theirs>;

/** The whole module: a program that accepts one of them accepts the other. */
export type AllValuesFit = [Fits<Ours, Theirs>, Fits<Theirs, Ours>];

type Public<T> = { [Key in keyof T]: T[Key] };

/** Both stores support the same operations. */
export type StoresFit = [
  Fits<Public<ours.InMemorySessionStore>, Public<theirs.InMemorySessionStore>>,
  Fits<Public<theirs.InMemorySessionStore>, Public<ours.InMemorySessionStore>>,
];
