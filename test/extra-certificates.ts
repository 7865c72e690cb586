const NAME = "NODE_EXTRA_CA_CERTS";
const KEPT = "AGENTWIRE_TEST_CA_CERTS";

/**
 * Removes the machine's extra certificates from the environment. Node reads that file at every start, which takes longer than the start
 * itself, and tests connect only to local servers.
 */
export function withoutExtraCertificates(): void {
  const file = process.env[NAME];
  if (!file) return;
  process.env[KEPT] = file;
  delete process.env[NAME];
}

/** The environment including those certificates, for programs that connect to other machines. */
export function withExtraCertificates(): NodeJS.ProcessEnv {
  const file = process.env[KEPT];
  return { ...process.env, ...(file !== undefined && { [NAME]: file }) };
}
