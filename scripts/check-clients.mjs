// Builds clients of the daemon in other languages exactly as docs/guides/clients.md says, and runs each of them with a daemon:
//   node scripts/check-clients.mjs [python] [go]
// Python's packages are installed with pip; Go, its plugins and its gRPC must be installed as the guide says.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BIN = join(ROOT, "node_modules/.bin");
const guide = readFileSync(join(ROOT, "docs/guides/clients.md"), "utf8");
/** Debian's folder of Go packages. */
const GO_PACKAGES = "/usr/share/gocode";

/** pip and buf need the settings of this machine; daemon and clients get a separate home folder. */
const TOOLS = { HOME: process.env.HOME };

/** In Debian 12, gRPC for Go parses messages with a library that is older than the generator. Later releases do not need this codec. */
const CODEC = `package main

import (
	"google.golang.org/grpc/encoding"
	"google.golang.org/protobuf/proto"
)

type codec struct{}

func (codec) Marshal(v interface{}) ([]byte, error)      { return proto.Marshal(v.(proto.Message)) }
func (codec) Unmarshal(data []byte, v interface{}) error { return proto.Unmarshal(data, v.(proto.Message)) }
func (codec) Name() string                               { return "proto" }

func init() { encoding.RegisterCodec(codec{}) }
`;

const CLIENTS = {
  python(folder, run) {
    run("bash", ["-ec", block("Python", "sh")], TOOLS);
    writeFileSync(join(folder, "ask.py"), block("Python", "python"));
    return run("client/bin/python", ["ask.py"]);
  },
  go(folder, run) {
    const project = join(folder, "src/example.com/client");
    mkdirSync(project, { recursive: true });
    run("bash", ["-ec", block("Go", "sh")], TOOLS);
    cpSync(join(folder, "gen"), join(project, "gen"), { recursive: true });
    writeFileSync(join(project, "main.go"), block("Go", "go"));
    writeFileSync(join(project, "codec.go"), CODEC);
    const env = {
      GO111MODULE: "off",
      GOPATH: `${folder}${delimiter}${GO_PACKAGES}`,
      GOCACHE: join(folder, "cache"),
    };
    return run("go", ["run", "example.com/client"], env);
  },
};

const wanted = process.argv.slice(2);
for (const language of wanted.length > 0 ? wanted : Object.keys(CLIENTS)) check(language);

function check(language) {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-client-"));
  symlinkSync(join(ROOT, "packages"), join(folder, "packages"));
  const home = { HOME: folder, AGENTWIRE_HOME: "", XDG_STATE_HOME: "" };
  const run = (program, args, env = {}) =>
    execFileSync(program, args, {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH}`, ...home, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
  try {
    run("agentwire", ["daemon", "start"]);
    const printed = CLIENTS[language](folder, run);
    if (!/turn_?complete/i.test(printed))
      throw new Error(`${language}: no turn was watched to its end: ${printed}`);
    console.log(`${language}: ${printed.trim().split("\n").length} events`);
  } finally {
    run("agentwire", ["daemon", "stop", "--now"]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The code block in a language in a section of the guide. */
function block(section, language) {
  const text = guide.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? "";
  const [, code] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(text) ?? [];
  if (code === undefined) throw new Error(`clients.md has no block of ${language} under ${section}`);
  return code;
}
