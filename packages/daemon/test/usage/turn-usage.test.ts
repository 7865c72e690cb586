import { readMessage } from "@agentwire/protocol";
import { agentMessages, type ResultMessage } from "@agentwire/protocol/messages";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Amount, isNothing, plus, TOKEN_KINDS, tokensOf, ZERO } from "../../src/store/amount.ts";
import { NO_TOTALS, type ReportedTotals, turnUsage } from "../../src/usage/turn-usage.ts";

/** A result as the daemon reads it. */
function result(more: object): ResultMessage {
  const messages: unknown[] = [];
  readMessage(
    agentMessages,
    { type: "result", subtype: "success", ...more },
    {
      message: (message) => messages.push(message),
      repaired() {},
      malformed() {},
      reply() {},
    },
  );
  return messages[0] as ResultMessage;
}

interface Call {
  readonly model: string;
  readonly tokens: number;
  readonly usd: number | undefined;
  readonly isMain: boolean;
}

/** An agent that reports totals, with or without the usage since its last result. */
class Agent {
  #total = new Map<string, Amount>();
  readonly #hasSince: boolean;

  constructor(hasSince: boolean) {
    this.#hasSince = hasSince;
  }

  /** Some agents forget their totals when they are restarted. */
  forget(): void {
    this.#total = new Map();
  }

  turn(calls: readonly Call[]): ResultMessage {
    const since = new Map<string, Amount>();
    let main = ZERO;
    for (const { model, tokens, usd, isMain } of calls) {
      const amount = { ...tokensOf(() => tokens), costUsd: usd, isIncomplete: false };
      since.set(model, plus(since.get(model) ?? ZERO, amount));
      this.#total.set(model, plus(this.#total.get(model) ?? ZERO, amount));
      if (isMain) main = plus(main, amount);
    }
    const isPriced = [...this.#total.values()].every(({ costUsd }) => costUsd !== undefined);
    const total = [...this.#total.values()].reduce((all, { costUsd }) => all + (costUsd ?? 0), 0);
    return result({
      usage: {
        input_tokens: main.inputTokens,
        output_tokens: main.outputTokens,
        cache_creation_input_tokens: main.cacheCreationInputTokens,
        cache_read_input_tokens: main.cacheReadInputTokens,
      },
      modelUsage: figures(this.#total),
      ...(isPriced && { total_cost_usd: total }),
      ...(this.#hasSince && { model_usage_since_last_result: figures(since) }),
    });
  }
}

const figures = (models: ReadonlyMap<string, Amount>) =>
  Object.fromEntries(
    [...models].map(([name, { costUsd, isIncomplete: _, ...tokens }]) => [
      name,
      { ...tokens, ...(costUsd !== undefined && { costUSD: costUsd }) },
    ]),
  );

const calls = (isMain: fc.Arbitrary<boolean>) =>
  fc.array(
    fc.record({
      model: fc.constantFrom("opus", "haiku", "__proto__", "toString"),
      tokens: fc.integer({ min: 1, max: 1_000_000 }),
      usd: fc.double({ min: 0, max: 10, noNaN: true }),
      isMain,
    }),
    { maxLength: 4 },
  );

/** Turns, and before each of them whether the agent was restarted and forgot its totals. */
const conversation = (isMain: fc.Arbitrary<boolean>) =>
  fc.array(fc.record({ forgets: fc.boolean(), calls: calls(isMain) }), { maxLength: 12 });

type Conversation = readonly { readonly forgets: boolean; readonly calls: readonly Call[] }[];

function play(agent: Agent, turns: Conversation, canForget: boolean) {
  let seen: ReportedTotals = NO_TOTALS;
  let counted = ZERO;
  let spent = ZERO;
  const perTurn: Amount[] = [];
  for (const { forgets, calls: made } of turns) {
    if (forgets && canForget) agent.forget();
    const used = turnUsage(agent.turn(made), seen, "");
    // It is stored between turns.
    seen = JSON.parse(JSON.stringify(used.seen)) as ReportedTotals;
    counted = plus(counted, used.turn);
    perTurn.push(used.turn);
    for (const { tokens, usd } of made)
      spent = plus(spent, { ...tokensOf(() => tokens), costUsd: usd, isIncomplete: false });
  }
  return { counted, spent, perTurn };
}

function expectSame(counted: Amount, spent: Amount): void {
  for (const kind of TOKEN_KINDS) expect(counted[kind]).toBe(spent[kind]);
  expect(counted.costUsd ?? 0).toBeCloseTo(spent.costUsd ?? 0, 4);
}

describe("the usage of all turns adds up to what was spent", () => {
  test("if totals continue across restarts", () => {
    fc.assert(
      fc.property(conversation(fc.boolean()), (turns) => {
        const { counted, spent } = play(new Agent(false), turns, false);
        expectSame(counted, spent);
      }),
    );
  });

  test("if totals restart with each process", () => {
    fc.assert(
      fc.property(conversation(fc.constant(true)), (turns) => {
        const { counted, spent } = play(new Agent(false), turns, true);
        expectSame(counted, spent);
      }),
    );
  });

  test("if the agent reports usage since its last result, independent of its totals", () => {
    fc.assert(
      fc.property(conversation(fc.boolean()), (turns) => {
        const { counted, spent } = play(new Agent(true), turns, true);
        expectSame(counted, spent);
      }),
    );
  });

  test("and is never negative, whatever an agent reports", () => {
    const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom("12", null, {}));
    const models = fc.dictionary(
      fc.string(),
      fc.record(
        { inputTokens: number, outputTokens: number, cacheReadInputTokens: number, costUSD: number },
        { requiredKeys: [] },
      ),
      { maxKeys: 60 },
    );
    const said = fc.record(
      {
        modelUsage: models,
        model_usage_since_last_result: models,
        total_cost_usd: number,
        usage: fc.record({ input_tokens: number }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(said, { maxLength: 5 }), (results) => {
        let seen: ReportedTotals = NO_TOTALS;
        for (const more of results) {
          const used = turnUsage(result(more), seen, "m");
          seen = used.seen;
          expect(used.models.size).toBeLessThanOrEqual(52);
          for (const amount of [used.turn, ...used.models.values()]) {
            for (const kind of TOKEN_KINDS) {
              expect(Number.isSafeInteger(amount[kind])).toBe(true);
              expect(amount[kind]).toBeGreaterThanOrEqual(0);
            }
            expect(amount.costUsd ?? 0).toBeGreaterThanOrEqual(0);
          }
        }
      }),
    );
  });
});

describe("an unknown price", () => {
  const tokens = { inputTokens: 10, outputTokens: 5 };

  test("is not zero", () => {
    const { turn } = turnUsage(result({ modelUsage: { local: tokens } }), NO_TOTALS, "");
    expect(turn).toMatchObject({ inputTokens: 10, costUsd: undefined, isIncomplete: true });
  });

  test("of one model makes the sum incomplete", () => {
    const modelUsage = { local: tokens, opus: { ...tokens, costUSD: 0.5 } };
    const { turn, models } = turnUsage(result({ modelUsage }), NO_TOTALS, "");
    expect(turn).toMatchObject({ inputTokens: 20, costUsd: 0.5, isIncomplete: true });
    expect(models.get("opus")).toMatchObject({ costUsd: 0.5, isIncomplete: false });
  });

  test("of the only model is replaced by the total cost of the turn", () => {
    const first = turnUsage(result({ modelUsage: { a: tokens }, total_cost_usd: 0.25 }), NO_TOTALS, "");
    expect(first.models.get("a")).toMatchObject({ costUsd: 0.25, isIncomplete: false });
    const more = { modelUsage: { a: { inputTokens: 20, outputTokens: 9 } }, total_cost_usd: 0.75 };
    expect(turnUsage(result(more), first.seen, "").models.get("a")).toMatchObject({
      inputTokens: 10,
      costUsd: 0.5,
    });
  });

  test("of agents that report no models is replaced by their total, for the session's model", () => {
    const usage = { input_tokens: 100, output_tokens: 10 };
    const first = turnUsage(result({ usage, total_cost_usd: 0.1 }), NO_TOTALS, "sonnet");
    const second = turnUsage(result({ usage, total_cost_usd: 0.3 }), first.seen, "sonnet");
    expect(second.models.get("sonnet")).toMatchObject({ inputTokens: 100, isIncomplete: false });
    expect(second.turn.costUsd).toBeCloseTo(0.2);
    const anew = turnUsage(result({ usage, total_cost_usd: 0.05 }), second.seen, "sonnet");
    expect(anew.turn.costUsd).toBeCloseTo(0.05);
  });

  test("does not matter for a turn cut off before its first answer, which used nothing", () => {
    const before = turnUsage(
      result({ modelUsage: { a: { ...tokens, costUSD: 1 } }, total_cost_usd: 1 }),
      NO_TOTALS,
      "",
    );
    const cut = turnUsage(result({ total_cost_usd: 1 }), before.seen, "a");
    expect(isNothing(cut.turn)).toBe(true);
    const next = {
      modelUsage: { a: { inputTokens: 12, outputTokens: 6, costUSD: 1.5 } },
      total_cost_usd: 1.5,
    };
    expect(turnUsage(result(next), cut.seen, "a").turn).toMatchObject({ inputTokens: 2, costUsd: 0.5 });
  });
});
