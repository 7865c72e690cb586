const OPERANDS = [
  "a.txt",
  "sub",
  "sub/b.txt",
  ".",
  "*",
  "new.txt",
  "-",
  "--",
  "/etc/passwd",
  "HEAD",
  "'a b'",
  "1",
  "5",
  "x=1",
];
const OPTIONS = [
  "-o",
  "-o new.txt",
  "--output=new.txt",
  "-i",
  "-w new.txt",
  "-exec touch new.txt ';'",
  "-delete",
  "--pre=touch",
  "-C new.txt",
  "-n",
  "-v PATH",
  "-f a.txt",
  "--files0-from=a.txt",
  "-T .",
];
const TWISTS = [
  "> new.txt",
  ">> a.txt",
  "| tee new.txt",
  "&& touch new.txt",
  "; rm a.txt",
  "$(touch new.txt)",
  "`touch new.txt`",
  "<(touch new.txt)",
  "| head -1",
  "2>&1",
  "2>/dev/null",
  "&",
  "< a.txt",
  "|| true",
  "| sort",
  "; cat a.txt",
];
const WHOLE = [
  "git status",
  "git log -1",
  "git diff",
  "git show HEAD",
  "git branch",
  "git blame a.txt",
  "git ls-files",
  "git rev-parse HEAD",
  "find . -name a.txt",
  "find sub",
  "echo hello",
  "printf %s",
  "printf %n",
  "cd sub",
  "test -f a.txt",
];

/** A command of a program that reads, with its options, and now and then with what is none of them. */
export function makeCommand(random, readers) {
  const words = [random.chance(0.25) ? random.pick(WHOLE) : programOf(random, readers)];
  for (let left = random.between(0, 3); left > 0; left--)
    words.push(random.pick(random.chance(0.15) ? OPTIONS : OPERANDS));
  if (random.chance(0.4)) words.push(random.pick(TWISTS));
  return words.join(" ");
}

function programOf(random, readers) {
  const [name, { options }] = random.pick([...readers]);
  const words = [name];
  for (let left = random.between(0, 2); left > 0; left--) {
    const { flags = "", valued = "", long = "" } = options;
    const letters = [...flags].map((letter) => `-${letter}`);
    const withValues = [...valued].map((letter) => `-${letter} ${random.pick(OPERANDS)}`);
    const names = long.split(/\s+/).filter(Boolean);
    const longs = names.map((each) => `--${each.replace(/\[?=\]?$/, `=${random.pick(OPERANDS)}`)}`);
    const all = [...letters, ...withValues, ...longs];
    if (all.length > 0) words.push(random.pick(all));
  }
  return words.join(" ");
}
