// Shifts the clock of a process by the milliseconds in the environment.
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
