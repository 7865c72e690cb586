/** The allowed growth from the second quarter of a run to the last one: a fraction plus a constant. Caches and compilation fill memory in the first quarter. */
const LIMITS = [
  { name: "memory, median", field: "megabytes", unit: "MB", part: 0.15, beside: 40, of: median },
  // Measured right after garbage collection, so leaks show here first.
  { name: "JavaScript heap, minimum", field: "heap", unit: "MB", part: 0.1, beside: 15, of: least },
  // Only if sessions share processes.
  {
    name: "agents' memory, median",
    field: "sharedMegabytes",
    unit: "MB",
    part: 0.15,
    beside: 60,
    of: median,
  },
  // Without the agents' files: the number of running agents depends on the machine, and on the length of the run.
  {
    name: "open files except the agents', median",
    field: "ownFiles",
    unit: "files",
    part: 0.1,
    beside: 6,
    of: median,
  },
];

/** How much the daemon has grown, and whether that is too much. */
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
