/** The heads of the columns of `cells`. */
export const HEADS = ["figure", "agentwire", "reference", "ratio", "target", ""];

/** What the table of all figures says about one of them, column by column. */
export function cells(row) {
  const { name, unit, ours, reference, ratio, missing } = row;
  if (missing !== undefined) return [name, "", "", "", target(row), `missing: ${missing.split("\n")[0]}`];
  return [
    name,
    `${spread(ours)} ${unit}`,
    reference ? `${spread(reference)} ${unit}, ${row.against}` : "",
    ratio.toFixed(2),
    target(row),
    row.pass ? "pass" : "short",
  ];
}

/** What a figure should reach: a ratio, or without a reference a value. */
function target({ better, target: value, against, unit }) {
  return `${better === "more" ? "≥" : "≤"} ${value.toLocaleString("en")}${against ? "" : ` ${unit}`}`;
}

function spread({ median, min, max, samples }) {
  return samples === 1 ? number(median) : `${number(median)} [${number(min)}–${number(max)}]`;
}

/** A number with as many digits as mean something. */
export const number = (value) => Number(value.toPrecision(3)).toLocaleString("en");
