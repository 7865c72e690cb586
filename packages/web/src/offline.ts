const WORKER = "/worker.js";

/** The part of the Trusted Types API used here; not every browser has it. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(url: string): string };
}

/** Registers the service worker, which caches this page so that it opens while no daemon answers. */
export async function keepPage(): Promise<void> {
  // Service workers exist only in secure contexts.
  if (!("serviceWorker" in navigator)) return;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("agentwire-worker", { createScriptURL: () => WORKER });
  try {
    await navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER);
  } catch {
    // The console works without it. One possible reason is a certificate that the browser does not trust.
  }
}
