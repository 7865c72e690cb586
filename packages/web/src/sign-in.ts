import type { Headers } from "./client.ts";

/** The token that a link brought along; it is taken out of the address before anything else happens. */
export function takeToken(location: Location, history: History): string | undefined {
  const found = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (found !== undefined) history.replaceState(null, "", "/");
  return found;
}

/** Where the tabs of this origin keep their half of the sign-in: the cookie, which is the other, reaches every port of the host. */
const PROOF = "agentwire-sign-in";

/** What each request has to bring along, besides the cookie; nothing while this browser is not signed in. */
export const signInHeaders: Headers = () => {
  const proof = localStorage.getItem(PROOF);
  return proof === null ? [] : [[PROOF, proof]];
};

/** Tells when another tab has signed this browser in. */
export function onSignedIn(tell: () => void): void {
  addEventListener("storage", ({ key, newValue }) => key === PROOF && newValue !== null && tell());
}

/** Changes a token for a cookie and a proof; undefined when it worked, else why it did not. */
export async function signIn(token: string): Promise<string | undefined> {
  try {
    const answer = await fetch("/sign-in", { method: "POST", headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok) return (await answer.text()).trim();
    const { proof } = (await answer.json()) as { proof: string };
    localStorage.setItem(PROOF, proof);
    return undefined;
  } catch {
    return "the daemon does not answer";
  }
}
