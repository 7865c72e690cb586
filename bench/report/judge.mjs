import { NotMeasured } from "../measure.mjs";

/**
 * @typedef {{ median: number, min: number, max: number, samples: number }} Summary
 * @typedef {object} Figure
 * @property {string} name
 * @property {string} unit
 * @property {string} [reference] what it is measured against
 * @property {number} target for the ratio to the reference; without one, for the value
 * @property {string} [better] "more", unless it is "less"
 * @property {() => Promise<{ ours: Summary, reference?: Summary }>} measure
 *
 * @typedef {object} Row
 * @property {string} [missing] why there is no value
 * @property {number} [ratio]
 * @property {boolean} pass
 */

/** No figure takes nearly as long; one that hangs must not stop the others. */
const LIMIT_MS = 600_000;

/**
 * Measures a figure and compares it with its target: the ratio to its reference if it has one, otherwise the value itself. A figure
 * that can't be measured is missing, with the reason, and the others continue.
 *
 * @param {Figure} figure
 * @param {number} [limitMs] when to give up
 * @returns {Promise<Row>}
 */
export async function judge({ measure, reference: against, better = "more", ...figure }, limitMs = LIMIT_MS) {
  const row = { ...figure, better, against };
  try {
    const { ours, reference } = await within(limitMs, measure);
    const ratio = ours.median / (reference?.median ?? figure.target);
    const judged = reference ? ratio : ours.median;
    const pass = better === "more" ? judged >= figure.target : judged <= figure.target;
    return { ...row, ours, reference, ratio, pass };
  } catch (error) {
    const missing = error instanceof NotMeasured ? error.message : `failed: ${error.stack}`;
    return { ...row, missing, pass: false };
  }
}

async function within(limitMs, measure) {
  let timer;
  const limit = new Promise((_, reject) => {
    const giveUp = () => reject(new NotMeasured(`no end after ${limitMs / 1000} s`));
    timer = setTimeout(giveUp, limitMs);
  });
  try {
    return await Promise.race([measure(), limit]);
  } finally {
    clearTimeout(timer);
  }
}
