/** The token that a link brought along; it is taken out of the address before anything else happens. */
export function takeToken(location: Location, history: History): string | undefined {
  const found = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (found !== undefined) history.replaceState(null, "", "/");
  return found;
}

/** Changes a token for a cookie; undefined when it worked, else why it did not. */
export async function signIn(token: string): Promise<string | undefined> {
  try {
    const answer = await fetch("/sign-in", { method: "POST", headers: { authorization: `Bearer ${token}` } });
    return answer.ok ? undefined : (await answer.text()).trim();
  } catch {
    return "the daemon does not answer";
  }
}
