import { EventSchema } from "@agentwire/api";
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { Indexer } from "../../src/search/indexer.ts";
import { appendEvent, newRecord, withStore } from "../store/place.ts";

const place = withStore();

test("stored events are indexed once the indexer settles, and a failing store is not retried endlessly", async () => {
  const { store } = place;
  const body = (seq: number) =>
    toBinary(
      EventSchema,
      create(EventSchema, { seq: BigInt(seq), body: { case: "text", value: { text: `heron ${seq}` } } }),
    );
  await store.write([
    { type: "addSession", record: newRecord({ id: "s" }) },
    ...Array.from({ length: 450 }, (_, i) => appendEvent("s", { seq: i + 1, body: body(i + 1) })),
  ]);
  let reads = 0;
  store.onRead = () => {
    reads++;
  };
  const indexer = new Indexer(store, (act) => act as never);
  expect(await indexer.settle()).toBe(true);
  const heron = { words: ["heron"], sessionId: "", before: 0, limit: 1000 };
  expect(await store.search.find(heron)).toHaveLength(450);
  await store.write([appendEvent("s", { seq: 451, body: body(451) })]);
  indexer.note("s");
  expect(await indexer.settle()).toBe(true);
  expect(await store.search.find(heron)).toHaveLength(451);
  await store.write([appendEvent("s", { seq: 452, body: body(452) })]);
  await place.writer.close();
  indexer.note("s");
  reads = 0;
  expect(await indexer.settle()).toBe(false);
  expect(reads).toBeLessThan(20);
  await indexer.stop();
});
