/** What may grow from the second quarter of a run to its last one: a part, and so much beside it. The first quarter belongs to caches and code that is not compiled yet. */
const LIMITS = [
  { name: "memory, median", field: "megabytes", unit: "MB", part: 0.15, beside: 40, of: median },
  // Right after objects were cleared away; what leaks shows here first.
  { name: "memory of objects, least", field: "heap", unit: "MB", part: 0.1, beside: 15, of: least },
  // Where sessions share processes.
  {
    name: "memory of the agents, median",
    field: "sharedMegabytes",
    unit: "MB",
    part: 0.15,
    beside: 60,
    of: median,
  },
  // Without the agents': how many of them run at once depends on the machine, and in a short run on how far it has come.
  {
    name: "open files beside the agents', median",
    field: "ownFiles",
    unit: "files",
    part: 0.1,
    beside: 6,
    of: median,
  },
];

/** How what the daemon holds has grown, and whether that is too much. */
export function growthOf(samples) {
  const has = ({ field }) => samples.some((sample) => sample[field] !== undefined);
  return LIMITS.filter(has).map(({ name, field, unit, part, beside, of }) => {
    const at = (share) => Math.floor(samples.length * share);
    const within = (from, to) => of(samples.slice(at(from), at(to)).flatMap((sample) => sample[field] ?? []));
    const [early, late] = [within(0.25, 0.5), within(0.75, 1)];
    const most = early * (1 + part) + beside;
    return { name, unit, early, late, most, isFlat: late <= most };
  });
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function least(values) {
  return Math.min(...values);
}
