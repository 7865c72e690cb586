import { availableParallelism, loadavg, totalmem } from "node:os";

const number = (value) => Number(value.toPrecision(3)).toLocaleString("en");
const SHOWN_FAULTS = 50;

/** The page about a run. */
export function page({
  date,
  wanted,
  minutes,
  seed,
  samples,
  counts,
  growth,
  rest,
  faults,
  sizes,
  commands,
  name,
}) {
  const rows = [
    ...growth.map(({ name, unit, early, late, most, isFlat }) => [
      `${name}, second quarter → last quarter`,
      `${number(early)} → ${number(late)} ${unit}`,
      `≤ ${number(most)} ${unit}`,
      isFlat,
    ]),
    [
      "open files, before → after, at rest",
      `${rest.before.files} → ${rest.after.files}`,
      `≤ ${rest.mostFiles}`,
      rest.after.files <= rest.mostFiles,
    ],
    ["agents left running", String(rest.agents), "0", rest.agents === 0],
    ["lost, duplicated or changed", String(faults.length), "0", faults.length === 0],
    ...commands.map((each) => [
      `${each.shell}: commands that did more than read, out of ${each.ran.toLocaleString("en")} that the agent runs without a question (${each.count.toLocaleString("en")} generated)`,
      String(each.found.length),
      "0",
      isReadOnly(each),
    ]),
  ];
  const all = [...faults, ...commands.flatMap(foundIn)];
  const table = rows.map(
    ([what, value, limit, isGood]) => `| ${what} | ${value} | ${limit} | ${isGood ? "pass" : "FAIL"} |`,
  );
  return `${name === "soak" ? aboutAlone(wanted, sizes) : aboutShared(wanted, sizes)}
- ${date.slice(0, 16).replace("T", " ")} UTC, ${availableParallelism()} cores (load ${number(loadavg()[2])}), ${number(totalmem() / 2 ** 30)} GB of memory, ${process.platform}-${process.arch}, Node ${process.version}
- ${number(minutes)} minutes, seed ${seed}: ${counts.prompts.toLocaleString("en")} prompts, ${counts.kills.toLocaleString("en")} agents killed, ${counts.decisions.toLocaleString("en")} questions decided, ${counts.visits.toLocaleString("en")} client visits,
  ${samples.at(-1).events.toLocaleString("en")} events stored, ${counts.received.toLocaleString("en")} received by clients

| | | limit | |
| --- | --- | --- | --- |
${table.join("\n")}

Memory at rest: ${number(rest.before.megabytes)} MB before the first prompt, ${number(rest.after.megabytes)} MB after the last one; JavaScript heap: ${number(rest.before.heap)} MB and ${number(rest.after.heap)} MB.

![memory, open files, agents, clients and events of the daemon over time](${name}.svg)
${
  all.length === 0
    ? ""
    : `\n## Faults\n\n${all
        .slice(0, SHOWN_FAULTS)
        .map((fault) => `- ${fault}\n`)
        .join("")}`
}`;
}

const aboutAlone = (wanted, sizes) => `# Soak

Written by \`npm run soak -- --minutes ${wanted}\`: a daemon with ${sizes.sessions} sessions, ${sizes.clients} clients that connect and disconnect (one in ten never reads), agents that
are killed at random, prompts (one in ten sent twice with the same key), questions, and replies of up to 12 MB in one piece. At the end, each session's log
is compared with everything that clients received. Then shell commands that the agent considers read-only run in a sandbox, in ordinary and in
hostile repositories: none may change a file or start a program that is not on the agent's list.
`;

const aboutShared = (wanted, sizes) => `# Soak of shared processes

Written by \`npm run soak -- --sessions ${sizes.sessions} --minutes ${wanted}\`: a daemon with ${sizes.sessions} sessions of our own agent, 125 per process, which are parked after a minute without
a prompt; ${sizes.clients} clients that connect and disconnect (one in ten never reads); shared processes that are killed at random; prompts (one in ten sent twice with the same key);
commands; questions; and streams. At the end, each session's log is compared with everything that clients received.
`;

/** Whether the run has met all of its conditions. */
export const isGood = ({ growth, rest, faults, commands }) =>
  commands.every(isReadOnly) &&
  growth.every(({ isFlat }) => isFlat) &&
  rest.after.files <= rest.mostFiles &&
  rest.agents === 0 &&
  faults.length === 0;

/** Whether the commands of a shell were tested without a finding. */
const isReadOnly = ({ ran, found }) => ran > 0 && found.length === 0;

const foundIn = ({ shell, found }) =>
  found.map(({ place, command, what }) => `${shell}, ${place}: ${what}: ${JSON.stringify(command)}`);

/** The current state of a run, in one line. */
export function progress(samples, minutes) {
  const { seconds, megabytes, files, agents, clients, delay, prompts, kills, decisions } = samples.at(-1);
  const clock = (all) => `${Math.floor(all / 60)}:${String(Math.floor(all % 60)).padStart(2, "0")}`;
  return `${clock(seconds)} of ${clock(minutes * 60)}: ${number(megabytes)} MB, ${files} files, ${agents} agents, ${clients} clients, ${number(delay)} ms; ${prompts} prompts, ${decisions} decisions, ${kills} kills\n`;
}
