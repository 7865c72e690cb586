/** The column headings for `cells`. */
export const HEADS = ["figure", "agentwire", "reference", "ratio", "target", ""];

/** The cells of a figure in the table of all figures. */
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

/** The target of a figure: a ratio, or a value if there is no reference. */
function target({ better, target: value, against, unit }) {
  return `${better === "more" ? "≥" : "≤"} ${value.toLocaleString("en")}${against ? "" : ` ${unit}`}`;
}

function spread({ median, min, max, samples }) {
  return samples === 1 ? number(median) : `${number(median)} [${number(min)}–${number(max)}]`;
}

/** A number with its significant digits. */
export const number = (value) => Number(value.toPrecision(3)).toLocaleString("en");
