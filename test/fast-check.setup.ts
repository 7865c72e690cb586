import fc from "fast-check";

// A landing is decided by the change, not by luck: there the seed is fixed. Everywhere else each run looks somewhere new.
if (process.env.CI) fc.configureGlobal({ seed: 1 });
