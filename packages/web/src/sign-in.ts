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

/** Keeps this half where the worker finds it, which answers questions from notifications; `client` is what it calls itself. */
export function shareSignIn(client: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("agentwire", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("worker");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const writing = database.transaction("worker", "readwrite");
      writing.objectStore("worker").put({ proof: localStorage.getItem(PROOF) ?? "", client }, "sign-in");
      writing.oncomplete = () => {
        database.close();
        resolve();
      };
      writing.onerror = () => reject(writing.error);
    };
  });
}

/** Tells when another tab has signed this browser in. */
export function onSignedIn(tell: () => void): void {
  addEventListener("storage", ({ key, newValue }) => key === PROOF && newValue !== null && tell());
}

/** Where a token comes from: people who typed one have to be told something else than people who opened a link. */
export type TokenSource = "link" | "form";

/** Changes a token for a cookie and a proof; undefined when it worked, else why it did not. */
export async function signIn(token: string, source: TokenSource): Promise<string | undefined> {
  // Nothing else fits into a header.
  if (!/^[\w-]+$/.test(token)) return WRONG_TOKEN;
  try {
    const answer = await fetch("/sign-in", { method: "POST", headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok) return await refusalOf(answer, source);
    const { proof } = (await answer.json()) as { proof: string };
    localStorage.setItem(PROOF, proof);
    return undefined;
  } catch {
    return "The daemon does not answer.";
  }
}

const WRONG_TOKEN =
  "This token is wrong. Copy it again without anything around it, or open a new link: agentwire web prints one.";

async function refusalOf(answer: Response, source: TokenSource): Promise<string> {
  if (answer.status === 429) {
    const seconds = answer.headers.get("retry-after") ?? "60";
    return `There were too many wrong tokens. Try again in ${seconds} seconds.`;
  }
  if (answer.status === 401 && source === "form") return WRONG_TOKEN;
  const text = (await answer.text()).trim();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The token in something that was pasted, which may be a whole link. */
export const tokenIn = (pasted: string): string =>
  /#token=([\w-]+)$/.exec(pasted.trim())?.[1] ?? pasted.trim();
