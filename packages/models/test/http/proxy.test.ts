import { expect, test } from "vitest";
import { proxyFor } from "../../src/http/proxy.ts";

const P = "http://proxy:3128";

test.each<[string, Record<string, string>, string | undefined]>([
  ["https://a.com/", { HTTPS_PROXY: P }, "http://proxy:3128/"],
  ["https://a.com/", { https_proxy: P }, "http://proxy:3128/"],
  ["https://a.com/", { HTTPS_PROXY: "proxy:3128" }, "http://proxy:3128/"],
  ["https://a.com/", { ALL_PROXY: P }, "http://proxy:3128/"],
  ["https://a.com/", { HTTP_PROXY: P }, undefined],
  ["http://a.com/", { HTTP_PROXY: P }, "http://proxy:3128/"],
  ["http://a.com/", { HTTPS_PROXY: P }, undefined],
  ["https://a.com/", { HTTPS_PROXY: "" }, undefined],
  ["http://localhost:1/", { HTTP_PROXY: P }, undefined],
  ["http://127.0.0.1:1/", { HTTP_PROXY: P }, undefined],
  ["http://[::1]:1/", { HTTP_PROXY: P }, undefined],
  ["https://a.com/", { HTTPS_PROXY: P, NO_PROXY: "a.com" }, undefined],
  ["https://b.a.com/", { HTTPS_PROXY: P, NO_PROXY: "x, a.com" }, undefined],
  ["https://b.a.com/", { HTTPS_PROXY: P, NO_PROXY: ".a.com" }, undefined],
  ["https://b.a.com/", { HTTPS_PROXY: P, NO_PROXY: "*.a.com" }, undefined],
  ["https://ba.com/", { HTTPS_PROXY: P, NO_PROXY: "a.com" }, "http://proxy:3128/"],
  ["https://a.com/", { HTTPS_PROXY: P, NO_PROXY: "a.com:8443" }, "http://proxy:3128/"],
  ["https://a.com:8443/", { HTTPS_PROXY: P, NO_PROXY: "a.com:8443" }, undefined],
  ["https://a.com/", { HTTPS_PROXY: P, no_proxy: "*" }, undefined],
])("%s with %j uses the proxy %s", (url, env, expected) => {
  expect(proxyFor(new URL(url), env)?.href).toBe(expected);
});
