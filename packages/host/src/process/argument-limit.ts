import { HostError } from "../errors.ts";

/** The longest single argument or environment variable that Linux passes to a program, including its terminator. */
const MAX_ARGUMENT_BYTES = 131_072;

/** The error for an argument or variable that the system would not accept; undefined if it accepts them all. */
export function argumentTooLong(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): HostError | undefined {
  const long = args.findIndex((argument) => isTooLong(argument));
  if (long >= 0) {
    const [flag] = (args[long]?.startsWith("-") ? args[long] : (args[long - 1] ?? "")).split("=");
    return tooLong(`Argument ${long + 1} of the command line (${(flag ?? "").slice(0, 60)})`);
  }
  const variable = Object.entries(env).find(
    ([name, value]) => value !== undefined && isTooLong(`${name}=${value}`),
  );
  return variable && tooLong(`The environment variable ${variable[0].slice(0, 60)}`);
}

function isTooLong(text: string): boolean {
  // A UTF-16 unit takes at most three bytes, so most texts need not be counted.
  return text.length * 3 >= MAX_ARGUMENT_BYTES && Buffer.byteLength(text) >= MAX_ARGUMENT_BYTES;
}

function tooLong(what: string): HostError {
  const text = `${what} is longer than the ${MAX_ARGUMENT_BYTES} bytes that the system allows: put it in a file.`;
  return new HostError("argument_too_long", text);
}
