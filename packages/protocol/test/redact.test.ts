import { describe, expect, test } from "vitest";
import { redactor, secretsIn } from "../src/redact.ts";

const redact = redactor([]);
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEpAIBAAKCAQEA7f+/=\n".repeat(5)}-----END RSA PRIVATE KEY-----`;

/** A text, and what must not be left of it. */
const SECRETS: readonly (readonly [string, string])[] = [
  ["key sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx_yz-0123456789", "AbCdEfGh"],
  ["sk-proj-abcdefghijklmnop1234567890", "abcdefgh"],
  ["sk_live_4eC39HqLyjWDarjtT1zdp7dc", "4eC39Hq"],
  ["ghp_0123456789abcdefABCDEF0123456789abcd", "0123456789abcdef"],
  ["github_pat_11ABCDEFG0aBcDeFgHiJkLm", "11ABCDEFG"],
  ["glpat-abcdefghij0123456789", "abcdefghij"],
  ["xoxb-123456789012-abcdefABCDEF", "123456789012"],
  ["npm_abcdefghijklmnopqrstuvwxyz0123456789", "abcdefghij"],
  ["AKIAIOSFODNN7EXAMPLE", "IOSFODNN7"],
  ["AIzaSyA-1234567890abcdefghijklmnopqrstu", "1234567890"],
  ["aw_0123456789abcdef_abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG", "abcdefghij"],
  ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P", "zdWIiOi"],
  ["Authorization: Bearer abc.def-ghi", "abc.def"],
  ["authorization: Basic dXNlcjpwYXNz", "dXNlcjpw"],
  ['{"authorization":"Bearer hunter22hunter"}', "hunter22"],
  ['{\\"Authorization\\": \\"Bearer hunter22hunter\\"}', "hunter22"],
  ["Proxy-Authorization: Digest hunter22hunter", "hunter22"],
  ["curl -H 'x-api-key: hunter22hunter'", "hunter22"],
  ["Cookie: session=hunter22; other=hunter23", "hunter2"],
  ["Set-Cookie: session=hunter22; HttpOnly", "hunter22"],
  ["ANTHROPIC_API_KEY=hunter22hunter", "hunter22"],
  ["export DB_PASSWORD='hunter22'", "hunter22"],
  ['{"client_secret": "hunter22"}', "hunter22"],
  ["--token hunter22hunter", "hunter22"],
  ["--api-key=hunter22hunter", "hunter22"],
  ["https://ada:hunter22@example.com/x", "hunter22"],
  ["postgres://ada:hunter22@db:5432/x", "hunter22"],
  [KEY, "MIIE"],
  [JSON.stringify({ key: KEY }), "MIIE"],
  [KEY.slice(0, 80), "MIIE"],
  [`…${KEY.slice(60)}`, "KCAQEA7f"],
  [`${KEY}\nand\n${KEY}`, "MIIE"],
  [
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----",
    "b3Blbn",
  ],
];

const HARMLESS = [
  "the daemon listens",
  "used 1234 input_tokens and 99 output_tokens",
  "no such file or directory: /home/ada/app/src/token.ts",
  "a token was revoked",
  "https://example.com:8443/path?x=1",
  "task-12345678901234567890",
  "the key of the map is missing",
  "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
  "fatal: password authentication failed for user ada",
];

describe("redacting", () => {
  test.each(SECRETS)("leaves nothing of the secret in %j", (text, secret) => {
    expect(redact(`before ${text} after`)).not.toContain(secret);
    expect(redact(`before ${text} after`)).toContain("[redacted]");
    expect(redact(text)).not.toContain(secret);
  });

  test.each(HARMLESS)("leaves %j as it is", (text) => expect(redact(text)).toBe(text));

  test("takes out the daemon's own secrets whatever they look like", () => {
    const known = redactor(
      secretsIn({ MY_TOKEN: "correct horse battery", PATH: "/usr/bin", KEY_FILE: "/etc/key" }),
    );
    expect(known("it said: correct horse battery staple")).toBe("it said: [redacted] staple");
    expect(known("/usr/bin and /etc/key")).toBe("/usr/bin and /etc/key");
  });

  test.each([
    "a",
    "sk-",
    "eyJaaaaaaaaa-",
    "token",
    "a_",
    "Bearer ",
    "-----BEGIN RSA PRIVATE KEY-----",
    "=",
    "https://a:",
    "-----END PRIVATE KEY-----A",
  ])("takes linear time for a text made of %j", (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    const start = performance.now();
    redact(text);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
