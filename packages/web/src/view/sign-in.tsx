import { useState } from "preact/hooks";
import { tokenIn } from "../sign-in.ts";
import type { ViewProps } from "./shell.tsx";

/** The sign-in page, for users without a valid link. */
export function SignIn({ app, state }: ViewProps) {
  const [token, setToken] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    void app.signIn(tokenIn(token), "form");
  };
  return (
    <main class="sign-in">
      <Brand />
      {state.signInError !== "" && (
        <p class="banner error" role="alert">
          {state.signInError}
        </p>
      )}
      <p>
        This browser is not signed in. Run <code>agentwire web</code> and open the link that it prints.
      </p>
      <form onSubmit={submit}>
        <label for="token">Or paste the token from the daemon's folder</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={token.trim() === ""}>
          Sign in
        </button>
      </form>
    </main>
  );
}

/** The product name and logo. */
export function Brand() {
  return (
    <h1 class="big-brand">
      <img src="/icon.svg" alt="" width="32" height="32" /> agentwire
    </h1>
  );
}
