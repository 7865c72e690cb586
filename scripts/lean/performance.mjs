/** Replaces the global of this name, whose first use loads ten modules of Node and 0.2 MB; its times are only compared with each other. */
export const performance = {
  now() {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  },
};
