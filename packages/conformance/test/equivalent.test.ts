import { describe, expect, test } from "vitest";
import { compare } from "../src/compare/compare.ts";
import { pathReplacer } from "../src/compare/paths.ts";
import { reduce } from "../src/compare/reduce.ts";
import { readRecording } from "../src/recording.ts";
import type { Transcript, TranscriptLine } from "../src/transcript.ts";
import { changed, eventOf, is, isDelta } from "./edit-transcript.ts";

const differences = (expected: Transcript, actual: Transcript) => compare(reduce(expected), reduce(actual));

describe("transcripts are equivalent", () => {
  test("whatever ids an agent generates", async () => {
    const recording = await readRecording("two-turns");
    const text = JSON.stringify(recording).replace(/[0-9a-f]{8}-[0-9a-f]{4}/g, (id) =>
      [...id].reverse().join(""),
    );
    expect(differences(recording, JSON.parse(text))).toEqual([]);
  });

  test("wherever a stream is split into deltas", async () => {
    const recording = await readRecording("partial-messages");
    const halved = changed(recording, (lines) =>
      lines.flatMap((line) => {
        const delta = eventOf(line).delta as { text?: string } | undefined;
        if (!isDelta(line) || delta?.text === undefined) return [line];
        const half = Math.ceil(delta.text.length / 2);
        const piece = (text: string) => ({ ...line, event: { ...eventOf(line), delta: { ...delta, text } } });
        return [piece(delta.text.slice(0, half)), piece(delta.text.slice(half))];
      }),
    );
    expect(differences(recording, halved)).toEqual([]);
  });

  test("in whatever order parallel tools return", async () => {
    const recording = await readRecording("parallel-tools");
    const swapped = changed(recording, (lines) => {
      const results = lines.filter(is("user")).toReversed();
      return lines.map((line) => (is("user")(line) ? (results.shift() ?? line) : line));
    });
    expect(swapped).not.toEqual(changed(recording, (lines) => lines));
    expect(differences(recording, swapped)).toEqual([]);
  });

  test("however often a slow hook reports progress", async () => {
    const recording = await readRecording("hook-progress");
    const isProgress = is("system", "hook_progress");
    const twice = changed(recording, (lines) =>
      lines.flatMap((line) => (isProgress(line) ? [line, { ...line, output: "one\ntwo\n" }] : [line])),
    );
    expect(twice).toHaveLength(recording.length + 1);
    expect(differences(recording, twice)).toEqual([]);
    const never = changed(recording, (lines) => lines.filter((line) => !isProgress(line)));
    expect(differences(recording, never)).not.toEqual([]);
  });

  test("wherever on the machine the project is, even if a stream splits its path", () => {
    const delta = (text: string): TranscriptLine => {
      const event = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } };
      return { t: 0, dir: "out", line: { type: "stream_event", event } };
    };
    const root = "/tmp/a-1";
    const replace = pathReplacer({ root, cwd: `${root}/project`, home: `${root}/home`, tmp: `${root}/tmp` });
    const actual = reduce([delta("see /tmp/a"), delta("-1/project/x")], replace);
    expect(compare(reduce([delta("see /project/x")]), actual)).toEqual([]);
  });
});
