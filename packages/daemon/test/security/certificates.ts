import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Files in PEM form. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** Makes a certificate authority in a folder. */
export function makeAuthority(folder: string, name: string): Pair {
  const pair = files(folder, name);
  const subject = ["-subj", `/CN=${name}`, "-days", "2", "-addext", "basicConstraints=critical,CA:TRUE"];
  openssl(["req", "-x509", ...KEY, "-keyout", pair.key, "-out", pair.cert, ...subject]);
  return pair;
}

/** Makes a certificate for a name, signed by an authority. */
export function makeCertificate(
  folder: string,
  name: string,
  authority: Pair,
  altNames = `DNS:${name}`,
): Pair {
  const pair = files(folder, name);
  const request = join(folder, `${name}.csr`);
  const extensions = join(folder, `${name}.ext`);
  writeFileSync(extensions, `subjectAltName=${altNames}\n`);
  openssl(["req", ...KEY, "-keyout", pair.key, "-out", request, "-subj", `/CN=${name}`]);
  const signed = ["-CA", authority.cert, "-CAkey", authority.key, "-CAcreateserial", "-days", "2"];
  openssl(["x509", "-req", "-in", request, ...signed, "-extfile", extensions, "-out", pair.cert]);
  return pair;
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

const files = (folder: string, name: string): Pair => ({
  cert: join(folder, `${name}.pem`),
  key: join(folder, `${name}.key`),
});

function openssl(args: readonly string[]): void {
  execFileSync("openssl", args, { stdio: ["ignore", "ignore", "pipe"] });
}
