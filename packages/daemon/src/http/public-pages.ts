import { PAGE_SCOPES } from "../access/rpc-scopes.ts";
import type { PublicHandler } from "./guard.ts";
import type { SignIn } from "./sign-in.ts";
import { CONSOLE_FOLDER, staticFiles } from "./static-files.ts";

/** What a browser may have before it is signed in: the console itself, in which there is nothing of anybody's, and signing in. */
export function publicPages(signIn: SignIn): PublicHandler {
  const files = staticFiles(CONSOLE_FOLDER);
  return ({ method, url = "" }) => {
    if (PAGE_SCOPES.has(url)) return undefined;
    if (method === "GET" || method === "HEAD") return files;
    return method === "POST" && url === "/sign-in" ? signIn.handler : undefined;
  };
}
