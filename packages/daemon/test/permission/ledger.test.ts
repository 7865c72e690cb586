import { Disposition } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import { TimestampSchema, timestampMs } from "@bufbuild/protobuf/wkt";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Ledger } from "../../src/permission/ledger.ts";
import type { ToolQuestion } from "../../src/permission/question.ts";
import { auditWith } from "../../src/store/audit-log.ts";
import type { Draft } from "../../src/store/draft.ts";
import { noFailures } from "../unexpected.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NEVER = create(TimestampSchema);
const ALLOWED = { disposition: Disposition.ALLOWED, by: "me", answer: { behavior: "allow" } } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const question = (tool_use_id = "t1", tool_name = "Bash"): ToolQuestion => ({
  subtype: "can_use_tool",
  tool_name,
  input: { command: "ls" },
  tool_use_id,
});

function newLedger(attendedMs?: number) {
  const drafts: Draft[] = [];
  const ledger = new Ledger({
    sessionId: "s",
    timeouts: () => ({ attendedMs, unattendedMs: 7 * DAY }),
    nextSeq: () => drafts.length + 1,
    publish: async (more) => void drafts.push(...more),
    audit: auditWith(String, () => Date.now()),
    now: () => Date.now(),
    guard: noFailures,
  });
  const ask = (asked = question(), signal = new AbortController().signal, heldMs?: number) =>
    ledger.ask(asked, { requestId: "r1", signal, ...(heldMs !== undefined && { heldMs }) });
  const dispositions = () =>
    drafts.flatMap(({ body }) =>
      body.case === "permissionDecided" || body.case === "questionAnswered" ? [body.value.disposition] : [],
    );
  return { ledger, ask, drafts, dispositions };
}

describe("a question", () => {
  test("is sent to clients, answered once, and its answer sent to clients", async () => {
    const { ledger, ask, drafts } = newLedger();
    const answer = ask();
    const id = ledger.open[0]?.id ?? "";
    expect(await ledger.settle(id, ALLOWED)).toBe(true);
    expect(await ledger.settle(id, { ...ALLOWED, by: "somebody else" })).toBe(false);
    expect(await answer).toEqual({ behavior: "allow" });
    expect(drafts.map(({ body }) => body.case)).toEqual(["permissionAsked", "permissionDecided"]);
    expect(drafts[1]?.body.value).toMatchObject({ decidedBy: "me", disposition: Disposition.ALLOWED });
  });

  test("that the agent withdraws is aborted", async () => {
    const { ask, dispositions } = newLedger();
    const controller = new AbortController();
    const answer = ask(question(), controller.signal);
    controller.abort();
    expect(await answer).toMatchObject({ behavior: "deny" });
    expect(dispositions()).toEqual([Disposition.ABORTED]);
  });

  test("that the agent asks again replaces the first one", async () => {
    const { ledger, ask, dispositions } = newLedger();
    const first = ask();
    void ask();
    expect(await first).toMatchObject({ behavior: "deny" });
    expect(ledger.open.length).toBe(1);
    expect(dispositions()).toEqual([Disposition.SUPERSEDED]);
  });

  test("whose agent is gone is orphaned", async () => {
    const { ledger, ask, dispositions } = newLedger();
    void ask(question("a"));
    void ask(question("b"));
    await ledger.orphanAll();
    expect(dispositions()).toEqual([Disposition.ORPHANED, Disposition.ORPHANED]);
  });

  test("to the user is sent as a question, not as a permission", async () => {
    const { ledger, ask, drafts } = newLedger();
    const asked = {
      ...question("t", "AskUserQuestion"),
      input: {
        questions: [
          { question: "Which?", options: ["A", { label: "B", description: "b" }], multi_select: true },
        ],
      },
    };
    void ask(asked);
    expect(ledger.open[0]?.userQuestions).toMatchObject([
      { question: "Which?", multiSelect: true, options: [{ label: "A" }, { label: "B", description: "b" }] },
    ]);
    await ledger.settle(ledger.open[0]?.id ?? "", { ...ALLOWED, answers: { "Which?": "A" } });
    expect(drafts.map(({ body }) => body.case)).toEqual(["questionAsked", "questionAnswered"]);
  });
});

describe("the deadline of a question", () => {
  test("is shown and updated when clients come and go", async () => {
    const { ledger, ask, drafts } = newLedger(MINUTE);
    const deadlines = () =>
      drafts.flatMap(({ body }) =>
        body.case === "questionDeadline" && body.value.expiresAt
          ? [
              Number(body.value.expiresAt.seconds) * 1000 +
                (body.value.expiresAt.nanos ?? 0) / 1e6 -
                Date.now(),
            ]
          : [],
      );
    ledger.attended(true);
    void ask();
    await vi.advanceTimersByTimeAsync(MINUTE / 2);
    ledger.attended(false);
    expect(deadlines()).toEqual([7 * DAY]);
    expect(timestampMs(ledger.open[0]?.expiresAt ?? NEVER) - Date.now()).toBe(7 * DAY);
    await vi.advanceTimersByTimeAsync(DAY);
    ledger.attended(true);
    expect(deadlines().at(-1)).toBe(MINUTE / 2);
  });

  test("denies after a minute with a client connected", async () => {
    const { ledger, ask, dispositions } = newLedger(MINUTE);
    ledger.attended(true);
    const answer = ask();
    await vi.advanceTimersByTimeAsync(MINUTE - 1);
    expect(dispositions()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toMatchObject({ behavior: "deny" });
    expect(dispositions()).toEqual([Disposition.TIMED_OUT]);
  });

  test("does not apply while a client watches, by default, and its changes are sent to clients", async () => {
    const { ledger, ask, drafts, dispositions } = newLedger();
    const told = () =>
      drafts.flatMap(({ body }) =>
        body.case === "questionDeadline" ? [body.value.expiresAt !== undefined] : [],
      );
    ledger.attended(true);
    void ask();
    expect(ledger.open[0]?.expiresAt).toBeUndefined();
    await vi.advanceTimersByTimeAsync(30 * DAY);
    ledger.attended(false);
    expect(timestampMs(ledger.open[0]?.expiresAt ?? NEVER) - Date.now()).toBe(7 * DAY);
    await vi.advanceTimersByTimeAsync(6 * DAY);
    ledger.attended(true);
    expect(ledger.open[0]?.expiresAt).toBeUndefined();
    expect(told()).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(30 * DAY);
    ledger.attended(false);
    await vi.advanceTimersByTimeAsync(7 * DAY);
    expect(dispositions()).toEqual([Disposition.TIMED_OUT]);
  });

  test("ends a question before the agent stops waiting for it, and is shown", async () => {
    const { ledger, ask, dispositions } = newLedger();
    ledger.attended(true);
    void ask(question(), new AbortController().signal, 50_000);
    expect(timestampMs(ledger.open[0]?.expiresAt ?? NEVER) - Date.now()).toBe(50_000);
    await vi.advanceTimersByTimeAsync(20_000);
    ledger.attended(false);
    expect(timestampMs(ledger.open[0]?.expiresAt ?? NEVER) - Date.now()).toBe(30_000);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(dispositions()).toEqual([Disposition.TIMED_OUT]);
  });

  test("is days away while no client is connected", async () => {
    const { ask, dispositions } = newLedger();
    void ask();
    await vi.advanceTimersByTimeAsync(7 * DAY - 1);
    expect(dispositions()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(dispositions()).toEqual([Disposition.TIMED_OUT]);
  });

  test("does not restart for a returning client; the long wait begins when the last client leaves", async () => {
    const { ledger, ask, dispositions } = newLedger(MINUTE);
    ledger.attended(true);
    void ask();
    await vi.advanceTimersByTimeAsync(50_000);
    ledger.attended(false);
    await vi.advanceTimersByTimeAsync(6 * DAY);
    ledger.attended(true);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(dispositions()).toEqual([]);
    ledger.attended(false);
    await vi.advanceTimersByTimeAsync(6 * DAY);
    ledger.attended(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(dispositions()).toEqual([Disposition.TIMED_OUT]);
  });
});
