import fc from "fast-check";

// A merge must be decided by the change and not by luck, so its seed is fixed. All other runs use a new seed each time.
if (process.env.CI) fc.configureGlobal({ seed: 1 });
