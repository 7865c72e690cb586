const OPERANDS = [
  "a.txt",
  "sub",
  "sub/b.txt",
  "link",
  ".",
  "..",
  "*",
  "new.txt",
  "-",
  "--",
  "/etc/passwd",
  "'a b'",
  "1",
  "5",
  "x=1",
  "%n",
  "=ls",
  "~",
  "way-out/secret.txt",
  "'$(touch new.txt)'",
  "'a[$(touch new.txt)]'",
];
const REVISIONS = [
  "HEAD",
  "HEAD~1",
  "HEAD:a.txt",
  ":a.txt",
  "HEAD..",
  "--all",
  "-- a.txt",
  "a.txt",
  "lib",
  "pkg",
  ".",
];
const OPTIONS = [
  "-o",
  "-o new.txt",
  "--output=new.txt",
  "-i",
  "-w new.txt",
  "-exec touch new.txt ';'",
  "-delete",
  "-fprint new.txt",
  "--pre=touch",
  "--compress-program=touch",
  "-C new.txt",
  "-v PATH",
  "-f a.txt",
  "--files0-from=a.txt",
  "-T .",
];
const TWISTS = {
  both: [
    "> new.txt",
    ">> a.txt",
    ">| new.txt",
    "<> new.txt",
    "&> new.txt",
    ">&new.txt",
    "| tee new.txt",
    "|& tee new.txt",
    "&& touch new.txt",
    "; rm a.txt",
    "$(touch new.txt)",
    "`touch new.txt`",
    "<(touch new.txt)",
    ">(tee new.txt)",
    "<<<$(touch new.txt)",
    "<<X\n$(touch new.txt)\nX",
    "<<'X'\n$(touch new.txt)\nX",
    "| head -1",
    "2>&1",
    "2>/dev/null",
    "&",
    "< a.txt",
    "|| true",
    "| sort",
    "; cat a.txt",
    "\ncat a.txt",
    "# ; touch new.txt",
    "$((a[$(touch new.txt)]))",
    "{a.txt,sub/b.txt}",
    "$'\\x2do' new.txt",
  ],
  bash: [`\${x@P}`, "{fd}>new.txt", "; coproc touch new.txt", "[[ -v 'a[$(touch new.txt)]' ]]", `\${!x}`],
  zsh: [
    "*(e:'touch new.txt':)",
    "=(touch new.txt)",
    ">! new.txt",
    "&!",
    "&|",
    "$a[PATH=5]",
    `\${(e):-'$(touch new.txt)'}`,
    "~[x]",
    "<1-5>",
    "always { touch new.txt }",
    "; repeat 2 touch new.txt",
    "; noglob touch new.txt",
    "; - touch new.txt",
  ],
};
const AROUND = {
  both: [
    (inner) => `cd sub && ${inner}`,
    (inner) => `cd sub; ${inner}`,
    (inner) => `cd pkg && ${inner}`,
    (inner) => `X=1 ${inner}`,
    (inner) => `PATH=. ${inner}`,
    (inner) => `LC_ALL=C ${inner}`,
    (inner) => `! ${inner}`,
    (inner) => `(${inner})`,
    (inner) => `{ ${inner}; }`,
    (inner) => `timeout 1 ${inner}`,
    (inner) => `time ${inner}`,
    (inner) => `command ${inner}`,
    (inner) => `env ${inner}`,
    (inner) => `if ${inner}; then ${inner}; fi`,
    (inner) => `while ! ${inner}; do true; done`,
    (inner) => `for f in a.txt sub/b.txt; do ${inner}; done`,
    (inner) => `< a.txt ${inner}`,
    (inner) => `printf 'abcde%n' PATH; ${inner}`,
    (inner) => `echo "$(${inner})"`,
    (inner) => `${inner} | ${inner}`,
  ],
  bash: [(inner) => `function f { ${inner}; }; f`, (inner) => `eval '${inner}'`],
  zsh: [(inner) => `for f (a.txt) ${inner}`, (inner) => `() { ${inner} }`, (inner) => `nocorrect ${inner}`],
};
const WHOLE = [
  "find . -name a.txt",
  "find sub",
  "echo hello",
  "printf %s",
  "printf %d",
  "cd sub",
  "< a.txt",
  "true",
];
const SPELLINGS = [
  (name) => `/usr/bin/${name}`,
  (name) => `/bin/${name}`,
  (name) => `./${name}`,
  (name) => `\\${name}`,
  (name) => `'${name}'`,
  (name) => `${name.slice(0, 1)}''${name.slice(1)}`,
];

/**
 * A command of a read-only program with some of its options, or of git with any of its subcommands and options, sometimes with syntax
 * that gives it another meaning in a shell.
 */
export function makeCommand(random, shell, programs) {
  let command = random.chance(0.4)
    ? gitCommand(random, programs)
    : random.chance(0.1)
      ? random.pick(WHOLE)
      : readerCommand(random, programs);
  if (random.chance(0.25)) command += ` ${random.pick([...TWISTS.both, ...TWISTS[shell]])}`;
  if (random.chance(0.2)) command = random.pick([...AROUND.both, ...AROUND[shell]])(command);
  return command;
}

function readerCommand(random, { readers }) {
  const { name, options } = random.pick(readers);
  const words = [spelled(random, name)];
  for (let left = random.between(0, 2); left > 0; left--) words.push(optionOf(random, options, OPERANDS));
  for (let left = random.between(0, 2); left > 0; left--)
    words.push(random.pick(random.chance(0.1) ? OPTIONS : OPERANDS));
  return words.join(" ");
}

function gitCommand(random, { git, usual }) {
  const { name, options } = random.pick(random.chance(0.8) ? usual : git);
  const words = [
    spelled(random, "git"),
    ...(random.chance(0.05) ? [random.pick(["-C sub", "-p", "-c core.pager=touch", "--git-dir=pkg"])] : []),
    name,
  ];
  for (let left = random.between(0, 2); left > 0; left--)
    words.push(optionOf(random, options, [...REVISIONS, ...OPERANDS]));
  for (let left = random.between(0, 2); left > 0; left--)
    words.push(random.pick(random.chance(0.8) ? REVISIONS : OPERANDS));
  return words.join(" ");
}

const spelled = (random, name) => (random.chance(0.08) ? random.pick(SPELLINGS)(name) : name);

/** An option. A long one may be abbreviated as far as programs accept that, and may have a value, whether it needs one or not. */
function optionOf(random, options, values) {
  if (options.length === 0) return random.pick(OPTIONS);
  const option = random.pick(options);
  const isLong = option.startsWith("--");
  const name = isLong && random.chance(0.05) ? option.slice(0, random.between(4, option.length)) : option;
  const takesValue = name.endsWith("=");
  if (takesValue || random.chance(0.15)) {
    const value = random.pick(values);
    return isLong ? `${name.replace(/=$/, "")}=${value}` : `${name}${random.pick(["", " "])}${value}`;
  }
  return name;
}
