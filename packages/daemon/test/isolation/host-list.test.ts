import { expect, test } from "vitest";
import { HostList, targetOf } from "../../src/isolation/host-list.ts";

const hosts = new HostList(new URL("https://api.example.com"), [
  "packages.acme.test",
  "*.example.org",
  "build.example.net:8443",
]);

test.each([
  ["api.example.com:443", true],
  ["API.example.com.:443", true],
  ["api.example.com:80", false],
  ["api.example.com:22", false],
  ["packages.acme.test:443", true],
  ["packages.acme.test:80", true],
  ["packages.acme.test:22", false],
  ["evil-packages.acme.test:443", false],
  ["packages.acme.test.evil.com:443", false],
  ["a.example.org:443", true],
  ["a.b.example.org:443", true],
  ["example.org:443", false],
  ["notexample.org:443", false],
  ["build.example.net:8443", true],
  ["build.example.net:443", false],
  ["127.0.0.1:443", false],
  ["localhost:443", false],
  ["2130706433:443", false],
  ["[::1]:443", false],
  ["169.254.169.254:80", false],
])("connections to %s are allowed: %s", (text, isAllowed) => {
  const target = targetOf(text);
  expect(target && hosts.allows(target)).toBe(isAllowed);
});

test.each(["", ":443", "a b:443", "user@api.example.com:443", "api.example.com:99999", "api.example.com"])(
  "%j is not a valid target",
  (text) => expect(targetOf(text)).toBeUndefined(),
);

test("a name that resolves to this machine is not reached, unless it is the API's", async () => {
  const lookedUp = (list: HostList, host: string) =>
    new Promise((resolve) => {
      const lookup = list.lookupFor({ host, port: 443 });
      // `localhost` takes the place of a name whose records an attacker controls.
      lookup("localhost", { all: true }, (error, found) => resolve(error ? error.message : found.length > 0));
    });
  expect(await lookedUp(hosts, "packages.acme.test")).toBe("localhost leads to this machine");
  expect(await lookedUp(new HostList(new URL("http://localhost:1"), []), "localhost")).toBe(true);
});
