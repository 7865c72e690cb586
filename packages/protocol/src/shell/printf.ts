import { literalValue } from "./marks.ts";

// Bash assigns with %n, zsh evaluates the arguments of %d and of a width of *, and %1$s selects its argument.
// A width doesn't begin with a zero: that is a flag, and a text that can be matched in two ways at each place
// takes forever.
const TEXT_FORMAT = /^(?:[^%]|%[-+ #0]*(?:[1-9]\d*)?(?:\.\d+)?[sbcq]|%%)*$/s;
const NUMBER_FORMAT = /^(?:[^%]|%[-+ #0]*(?:[1-9]\d*)?(?:\.\d+)?[sbcqdiouxXeEfFgG]|%%)*$/s;
const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;

/** Whether a call of `printf` only prints, in every shell, and neither assigns a variable nor evaluates an argument. */
export function printsOnly([format = "", ...values]: readonly string[]): boolean {
  const literal = literalValue(format);
  if (literal === undefined || literal.startsWith("-")) return false;
  return (
    TEXT_FORMAT.test(literal) || (NUMBER_FORMAT.test(literal) && values.every((value) => NUMBER.test(value)))
  );
}
