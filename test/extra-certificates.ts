const NAME = "NODE_EXTRA_CA_CERTS";
const KEPT = "AGENTWIRE_TEST_CA_CERTS";

/**
 * Takes the extra certificates of the machine from the environment: Node reads such a file whenever it starts, which takes longer than the
 * start itself, and tests talk to nobody but themselves.
 */
export function withoutExtraCertificates(): void {
  const file = process.env[NAME];
  if (!file) return;
  process.env[KEPT] = file;
  delete process.env[NAME];
}

/** The environment with them, for programs that reach out of the machine. */
export function withExtraCertificates(): NodeJS.ProcessEnv {
  const file = process.env[KEPT];
  return { ...process.env, ...(file !== undefined && { [NAME]: file }) };
}
