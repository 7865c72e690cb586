import { literalValue } from "./marks.ts";

// Bash stores with %n, zsh evaluates what %d and a width of * are given, and %1$s picks its argument.
// A width begins with no zero: that is a flag, and a text that could be read in two ways at each place takes for ever.
const TEXT_FORMAT = /^(?:[^%]|%[-+ #0]*(?:[1-9]\d*)?(?:\.\d+)?[sbcq]|%%)*$/s;
const NUMBER_FORMAT = /^(?:[^%]|%[-+ #0]*(?:[1-9]\d*)?(?:\.\d+)?[sbcqdiouxXeEfFgG]|%%)*$/s;
const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;

/** Whether a call of `printf` prints in every shell, and neither assigns a variable nor evaluates an argument. */
export function printsOnly([format = "", ...values]: readonly string[]): boolean {
  const literal = literalValue(format);
  if (literal === undefined || literal.startsWith("-")) return false;
  return (
    TEXT_FORMAT.test(literal) || (NUMBER_FORMAT.test(literal) && values.every((value) => NUMBER.test(value)))
  );
}
