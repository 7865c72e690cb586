import { describe, expect, test } from "vitest";
import { computingMs } from "../../../../test/computing-time.ts";
import { redactor, secretsIn } from "../../src/redact/redactor.ts";

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
  ["DB_PASS=hunter22", "hunter22"],
  ["Bearer abcdefghijk", "abcdefgh"],
  ["basic dXNlcjpwYXNz", "dXNlcjpw"],
  ["url=https://example.com/?token=hunter22", "hunter22"],
  ['password="hunter22', "hunter22"],
  ["DB_PASS=/hunter22/x", "hunter22"],
  ["DB_PASS='hunter22 with spaces'", "spaces"],
  ['password="hunter22; and more"', "more"],
  ["PGPASSWORD=hunter22 psql -h db", "hunter22"],
  ["MYSQL_PWD=hunter22", "hunter22"],
  ["REDIS_PASSWD=hu", "=hu"],
  ['{"dbPassword":"hunter22"}', "hunter22"],
  ['{"accessToken": "hunter22"}', "hunter22"],
  ['{"SecretAccessKey": "hunter22/hunter+x="}', "hunter"],
  ["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG", "wJalr"],
  ["aws_session_token=hunter22hunter", "hunter22"],
  ['{\\"password\\":\\"hunter22\\"}', "hunter22"],
  ["curl -u ada:hunter22 https://example.com", "hunter22"],
  ["curl -sS --user 'ada:hunter22' https://example.com", "hunter22"],
  ["curl -uada:hunter22 https://example.com", "hunter22"],
  ["curl --proxy-user=ada:hunter22 https://example.com", "hunter22"],
  ["http -a ada:hunter22 example.com", "hunter22"],
  ["mysql -u root -phunter22 shop", "hunter22"],
  ["sshpass -p hunter22 ssh ada@host", "hunter22"],
  ["docker login -u ada -p hunter22 registry", "hunter22"],
  ["redis-cli -a hunter22 ping", "hunter22"],
  ["openssl rsa -passin pass:hunter22", "hunter22"],
  ["smbclient //host/share -U ada%hunter22", "hunter22"],
  ["--password hunter22", "hunter22"],
  ["--password=hunter22", "hunter22"],
  ["keytool -storepass hunter22", "hunter22"],
  ['["--token", "hunter22"]', "hunter22"],
  ["set -x DB_PASS hunter22", "hunter22"],
  ["ENV DB_PASS hunter22", "hunter22"],
  ['$env:DB_PASS = "hunter22"', "hunter22"],
  ["password: hunter22", "hunter22"],
  ["<password>hunter22</password>", "hunter22"],
  ["CREATE USER ada IDENTIFIED BY 'hunter22'", "hunter22"],
  ["ALTER ROLE ada WITH PASSWORD 'hunter22'", "hunter22"],
  ["machine example.com login ada password hunter22", "hunter22"],
  ["machine example.com\n  login ada\n  password hunter22", "hunter22"],
  ["client-key-data: LS0tLS1CRUdJTiBSU0E=", "LS0tLS1"],
  ['{"auths":{"ghcr.io":{"auth":"YWRhOmh1bnRlcjIy"}}}', "YWRhOm"],
  ["//registry/:_authToken=hunter22hunter", "hunter22"],
  ["_auth=YWRhOmh1bnRlcjIy", "YWRhOm"],
  ["Server=db;User Id=ada;Password=hunter22;", "hunter22"],
  ["AccountName=a;AccountKey=hunter22hunter+/=", "hunter22"],
  ["https://hooks.slack.com/services/T00000000/B00000000/hunter22hunter", "hunter22"],
  ["https://discord.com/api/webhooks/123456789/hunter22-hunter", "hunter22"],
  ["https://acme.webhook.office.com/webhookb2/hunter22@x/IncomingWebhook/y", "hunter22"],
  ["https://api.telegram.org/bot123456789:AAhunter22/getMe", "hunter22"],
  ["https://example.com/?a=1&token=hunter22&b=2", "hunter22"],
  ["https://example.com/?access_token=hunter22hunter", "hunter22"],
  ["https://b.s3.amazonaws.com/x?X-Amz-Signature=0123456789abcdef", "0123456789"],
  ["https://a.blob.core.windows.net/x?sv=2020&sig=hunter22hunter%3D", "hunter22"],
  ["https://hunter22hunter22hunter22@example.com/x.git", "hunter22"],
  ["redis://:hunter22@cache:6379", "hunter22"],
  ["mongodb+srv://ada:hunt@er22@cluster", "er22"],
  ["amqp://ada:hunter22@mq", "hunter22"],
  [
    "Authorization: AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=0123456789abcdef",
    "0123456789",
  ],
  ["Authorization: token hunter22hunter", "hunter22"],
  ["PRIVATE-TOKEN: hunter22hunter", "hunter22"],
  ["X-Vault-Token: hunter22hunter", "hunter22"],
  ["hvs.CAESIhunter22hunter22hunter22", "hunter22"],
  ["dop_v1_0123456789abcdef0123456789abcdef", "0123456789"],
  ["SG.hunter22hunter22.hunter22hunter22hunter", "hunter22"],
  ["pypi-AgEIcHlwaS5vcmchunter22", "hunter22"],
  ["xapp-1-A0123456789-0123456789-hunter22", "hunter22"],
  ["ASIAIOSFODNN7EXAMPLE", "IOSFODNN7"],
  ["GOCSPX-hunter22hunter22hunter", "hunter22"],
  ["whsec_0123456789abcdefABCDEF0123456789", "0123456789"],
  ["root:$6$saltsalt$hunter22hunter22hunter22:19000", "hunter22"],
  ["otpauth://totp/x?secret=JBSWY3DPEHPK3PXP&issuer=y", "JBSWY3"],
  [KEY.replaceAll("KEY-----", "KEY BLOCK-----").replaceAll("RSA", "PGP"), "MIIE"],
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
  "PWD=/home/ada OLDPWD=/home",
  "url=https://example.com/?page=12345678",
  "interface Login { token: string; password: string }",
  "password: undefined",
  "const token = getToken()",
  "password = process.env.DB_PASS",
  "export TOKEN=$OTHER_TOKEN",
  `DB_PASS=\${DB_PASS}`,
  "api_key: {{ api_key }}",
  "password: <your password>",
  "password: ********",
  "password: required",
  `GITHUB_TOKEN: \${{ secrets.GITHUB_TOKEN }}`,
  "TOKEN_FILE=/run/secrets/token",
  "ssl_key_path=/etc/ssl/key.pem",
  "private_key: /etc/ssl/private/key.pem",
  "npm_lifecycle_event=test npm_package_version=1.2.3",
  "pip install sk-learn-contrib-tools",
  "max_tokens: 4096, output_tokens=123456",
  "tokenizer=fast passes=12345678",
  "docker run -u 1000:1000 --user node:node image",
  "ps -p 12345",
  "mkdir -p some/folder",
  "ssh -p 2222 ada@example.com",
  "git clone git@github.com:acme/shop.git",
  "https://ada@example.com/x.git",
  "https://example.com/a@b?key=name&code=404",
  "src/login.ts:12:34: error: password is not used",
  "commit 0123456789abcdef0123456789abcdef01234567",
  "550e8400-e29b-41d4-a716-446655440000",
  "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
  "certificate-authority-data: LS0tLS1CRUdJTg==",
  "the basic structure of a bearer token",
  "Compare passwords and secrets with care",
  "author=ada keyboard=de",
  "secretary: Grace Hopper",
  "passenger=Ada compass=north bypass=yes",
  "cookies are enabled",
  "https://hooks.example.com/services/list",
  "primary_key=customer_number foreign_key: order_number",
  "2026-11-16T01:27:12Z level=info msg=started",
  "curl -s https://example.com:8443/x",
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

  test("a secret may begin like a path, and an author is none", () => {
    const secrets = secretsIn({
      DB_PASS: "/hunter22hunter",
      SSH_AUTH_SOCK: "/tmp/agent.sock",
      GIT_ASKPASS: "/usr/bin/askpass",
      GIT_AUTHOR_NAME: "Ada Lovelace",
      COMPASS: "north-north-west",
    });
    expect(secrets).toEqual(["/hunter22hunter"]);
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
    'password="',
    "password='x ",
    "--password ",
    "curl -u ",
    "mysql ",
    "docker login ",
    "a.",
    "<a>",
    "login a ",
    "$6$",
    "https://hooks.slack.com/services/",
    "?key=",
    "ENV ",
    '\\"',
  ])("takes linear time for a text made of %j", { timeout: 120_000 }, (piece) => {
    // What takes quadratic time and 900 ms for this much takes ten seconds for 1 MB; linear time takes less than 100 ms.
    const text = piece.repeat(300_000 / piece.length);
    const start = computingMs();
    redact(text);
    expect(computingMs() - start).toBeLessThan(900);
  });
});
