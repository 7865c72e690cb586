import type { Headers } from "./client.ts";

/** The token in the address of a sign-in link; removes it from the address. */
export function takeToken(location: Location, history: History): string | undefined {
  const found = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (found !== undefined) history.replaceState(null, "", "/");
  return found;
}

/** The storage key of this origin's half of the sign-in. The other half is a cookie, which browsers send to every port of the host. */
const PROOF = "agentwire-sign-in";

/** The headers each request needs besides the cookie; none while this browser is not signed in. */
export const signInHeaders: Headers = () => {
  const proof = localStorage.getItem(PROOF);
  return proof === null ? [] : [[PROOF, proof]];
};

/** Stores this half where the service worker can read it to answer questions from notifications; `client` is the name the worker uses. */
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

/** Calls back when another tab has signed this browser in. */
export function onSignedIn(tell: () => void): void {
  addEventListener("storage", ({ key, newValue }) => key === PROOF && newValue !== null && tell());
}

/** Where a token comes from: a typed token needs a different error message than an opened link. */
export type TokenSource = "link" | "form";

/** Exchanges a token for a cookie and a proof. Resolves with undefined on success, otherwise with an error message. */
export async function signIn(token: string, source: TokenSource): Promise<string | undefined> {
  // No token has other characters, and some can't be sent in a header.
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
  "This token is not valid. Copy it again without any surrounding text, or run agentwire web to get a new link.";

async function refusalOf(answer: Response, source: TokenSource): Promise<string> {
  if (answer.status === 429) {
    const seconds = answer.headers.get("retry-after") ?? "60";
    return `Too many failed sign-ins. Try again in ${seconds} seconds.`;
  }
  if (answer.status === 401 && source === "form") return WRONG_TOKEN;
  const text = (await answer.text()).trim();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The token in pasted text, which may be a whole link. */
export const tokenIn = (pasted: string): string =>
  /#token=([\w-]+)$/.exec(pasted.trim())?.[1] ?? pasted.trim();
