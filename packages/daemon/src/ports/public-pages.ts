import { PAGE_SCOPES } from "../access/rpc-scopes.ts";
import type { PublicHandler } from "../http/guard.ts";
import { pathOf } from "../http/path-of.ts";
import { CONSOLE_FOLDER, staticFiles } from "../http/static-files.ts";
import type { SignIn } from "./sign-in.ts";

/** What a browser may load before it is signed in: the console itself, which holds no user data, and the sign-in. */
export function publicPages(signIn: SignIn): PublicHandler {
  const files = staticFiles(CONSOLE_FOLDER);
  return (request) => {
    const { method } = request;
    const path = pathOf(request);
    if (PAGE_SCOPES.has(path)) return undefined;
    if (method === "GET" || method === "HEAD") return files;
    return method === "POST" && path === "/sign-in" ? signIn.handler : undefined;
  };
}
