import { EventSchema } from "@agentwire/api";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { appendEvent, newRecord, withStore } from "../store/place.ts";

const EVENTS = 20_000;

const place = withStore();

test("a long history is copied in slices: other writes do not wait for the whole copy", async () => {
  const { store } = place;
  const bodyOf = (sessionId: string, seq: number) =>
    toBinary(
      EventSchema,
      create(EventSchema, {
        sessionId,
        seq: BigInt(seq),
        body: { case: "textDelta", value: { text: `piece ${seq}` } },
      }),
    );
  await store.write([
    { type: "addSession", record: newRecord({ id: "from" }) },
    ...Array.from({ length: EVENTS }, (_, i) =>
      appendEvent("from", { seq: i + 1, body: bodyOf("from", i + 1) }),
    ),
  ]);
  const commits: number[] = [];
  store.onCommit = (ms) => commits.push(ms);
  let isCopied = false;
  const copied = store.copyHistory("from", "to").finally(() => {
    isCopied = true;
  });
  let others = 0;
  while (!isCopied) {
    const seq = ++others;
    await store.write([appendEvent("other", { seq, body: bodyOf("other", seq) })]);
  }
  await copied;
  // At least one write of another session per slice.
  expect(others).toBeGreaterThanOrEqual(EVENTS / 500);
  expect(commits.length).toBeGreaterThanOrEqual(EVENTS / 500);
  expect(await store.events.bounds("to")).toEqual({ first: 1, last: EVENTS });
  const [last] = await store.events.before("to", EVENTS + 1, 1);
  expect(last && fromBinary(EventSchema, last.body)).toMatchObject({
    sessionId: "to",
    seq: BigInt(EVENTS),
    body: { value: { text: `piece ${EVENTS}` } },
  });
}, 60_000);
