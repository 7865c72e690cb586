/** A scenario with its theme. */
export interface Placed<S> {
  readonly theme: string;
  readonly scenario: S;
}

/** All scenarios of the themes, in order. */
export const placed = <S>(
  themes: readonly { readonly name: string; readonly scenarios: readonly S[] }[],
): readonly Placed<S>[] =>
  themes.flatMap(({ name, scenarios }) => scenarios.map((scenario) => ({ theme: name, scenario })));

/** Plays a number of scenarios at once; the signal ends it early. */
export async function eachScenario<S>(
  scenarios: readonly Placed<S>[],
  { jobs, signal }: { readonly jobs: number; readonly signal?: AbortSignal | undefined },
  play: (next: Placed<S>) => Promise<void>,
): Promise<void> {
  const waiting = [...scenarios];
  const work = async () => {
    for (let next = waiting.shift(); next && !signal?.aborted; next = waiting.shift()) await play(next);
  };
  await Promise.all(Array.from({ length: jobs }, work));
}
