const WORKER = "/worker.js";

/** The part of Trusted Types that is used here, where the browser has it. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(url: string): string };
}

/** Has the browser keep this page, so that it can be opened while no daemon answers. */
export async function keepPage(): Promise<void> {
  // Browsers keep no page of an address that others could have changed on the way.
  if (!("serviceWorker" in navigator)) return;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("agentwire-worker", { createScriptURL: () => WORKER });
  try {
    await navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER);
  } catch {
    // The console works without it; a certificate that the browser does not trust is one reason.
  }
}
