import { expect, test } from "vitest";
import { printJunit } from "../src/junit.ts";

test("JUnit XML has a suite for each theme, and replaces characters that XML can't contain", () => {
  const xml = printJunit("agent", [
    { theme: "turns", name: "a", ms: 1500, failures: [] },
    { theme: "turns", name: "b", ms: 0, failures: ['x is "<1>" & not 2', "and \u0007"] },
    { theme: "flags", name: "c", ms: 0, failures: ["y"], skipped: "on purpose" },
  ]);
  expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="agentwire conformance agent" tests="3" failures="1" skipped="1" time="1.500">
  <testsuite name="flags" tests="1" failures="0" skipped="1" time="0.000">
    <testcase name="c" classname="flags" time="0.000"><skipped message="on purpose"/></testcase>
  </testsuite>
  <testsuite name="turns" tests="2" failures="1" skipped="0" time="1.500">
    <testcase name="a" classname="turns" time="1.500"/>
    <testcase name="b" classname="turns" time="0.000"><failure message="x is &quot;&lt;1&gt;&quot; &amp; not 2">x is &quot;&lt;1&gt;&quot; &amp; not 2
and \ufffd</failure></testcase>
  </testsuite>
</testsuites>
`);
});
