// Sets the clock of a process wrong, by as many milliseconds as the environment says.
const shift = Number(process.env.CLOCK_SHIFT_MS);
const now = Date.now.bind(Date);
globalThis.Date = class extends Date {
  constructor(...args) {
    if (args.length === 0) super(now() + shift);
    else super(...args);
  }

  static now() {
    return now() + shift;
  }
};
