import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeRig, outcome, put } from "./rig.ts";

/** The lines of a table, one command each. */
const rows = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const ALLOWED = rows(String.raw`
  echo hello world
  echo -e 'a\tb'
  echo === a ===
  echo '=ls' a=b "=x"
  { cat; } < a.txt
  printf '%s\n' a b
  printf '%5.1f%%\n' 12.5
  printf '%d %d\n' 1 2
  true
  pwd -P
  whoami
  id -un
  uname -a
  sleep 1
  seq -w 1 10
  seq -s , 5
  basename a/b.txt .txt
  dirname a/b
  tr -d x
  which -a node
  ls -la
  ls -la sub
  ls --color=never -1 sub
  ls --group-directories-first -lh
  ls -R
  cat a.txt
  cat -n a.txt sub/b.txt
  head -5 a.txt
  head -n 5 a.txt
  head -n5 -q a.txt sub/b.txt
  head --lines=5 a.txt
  head --lines 5 a.txt
  tail -n +2 a.txt
  tail -c 10 a.txt
  wc -l a.txt sub/b.txt
  wc --lines a.txt
  stat -c %s a.txt
  du -sh .
  du -h --max-depth=1
  df -h .
  cmp -s a.txt sub/b.txt
  cut -d: -f1 a.txt
  cut -d ' ' -f 2- a.txt
  nl -ba a.txt
  tac a.txt
  rev a.txt
  comm -12 a.txt sub/b.txt
  paste -d, a.txt sub/b.txt
  join -t, -1 1 -2 1 a.txt sub/b.txt
  readlink -f a.txt
  realpath --relative-to=sub a.txt
  md5sum a.txt
  sha256sum --tag a.txt
  diff a.txt sub/b.txt
  diff -u a.txt sub/b.txt
  diff -U5 --color=never a.txt sub/b.txt
  diff --brief a.txt sub/b.txt
  file -b a.txt
  file --mime-type a.txt
  tree -L 2 -I node_modules
  tree -a --dirsfirst sub
  sort a.txt
  sort -rn -k2,2 a.txt
  sort -t, -k 3 -u a.txt
  sort --reverse --numeric-sort a.txt
  uniq -c a.txt
  uniq --count -f 1 a.txt
  grep x a.txt
  grep -rn x sub
  grep -rn --include='*.ts' x .
  grep -E 'a|b' -A 3 -B3 a.txt
  grep -e x -e y a.txt
  grep -c x a.txt
  grep --color=never -i 'x y' a.txt
  grep -3 x a.txt
  rg x
  rg -n 'x y' sub
  rg -g '*.ts' -t ts x
  rg --files
  rg --hidden --no-ignore x
  rg -uuu x
  find . -name '*.ts'
  find sub -type f -size +1k -newer a.txt
  find . -maxdepth 2 -not -path './node_modules/*' -print0
  find . '(' -name a -o -name b ')' -ls
  find . -type f -printf '%p\n'
  cat a.txt | head -3 | wc -l
  ls && pwd; whoami
  for f in a b; do echo hi; done
  if true; then ls; fi
  while false; do ls; done
`);

const ASKED = rows(`
  < a.txt
  <a.txt
  0< a.txt
  (< a.txt)
  { < a.txt; }
  < a.txt < sub/b.txt
  < a.txt | cat
  cat a.txt; < sub/b.txt
  if true; then < a.txt; fi
  for f in a b; do < a.txt; done
  <<< x
  cat =ls
  cat =passwd
  ls =node
  head -1 a.txt =sh
  grep x =sh
  echo =ls
  diff =ls a.txt
  =ls
  find =ls
  cat a.txt =ls | head
  printf 'abcde%n' PATH
  printf '%n' PATH
  printf '%5n' x
  printf '%-3n' x
  printf '%ln' x
  printf -v PATH x
  printf -v x '%s' y
  printf -- '%n' PATH
  printf '%d' 'psvar[$(touch X)0]'
  printf '%i' 'a[0]'
  printf '%x' a
  printf '%*d' 'a[0]' 1
  printf '%.*s' 'a[0]' b
  printf '%*s' 5 x
  printf '%1$s' x
  printf '%(%s)T' -1
  printf '%s%n' a PATH
  printf 'abcde%n' PATH; whoami
  while true; do sleep 1000 & done
  sleep 1000 &
  { sleep 1000; } &
  (sleep 1000) &
  ls & pwd
  echo $(sleep 100 & )
  for f in a b; do sleep 100 & done
  coproc sleep 100
  ls -L sub
  ls -H sub
  ls --dereference sub
  ls --unknown
  ls --col
  cat --show-a a.txt
  head --li=5 a.txt
  wc --files0-from=a.txt
  wc --files0-from a.txt
  du --files0-from=a.txt
  du -X a.txt
  du --exclude-from=a.txt
  du -L
  sort --files0-from=a.txt
  sort -o f a.txt
  sort -of a.txt
  sort -ro f a.txt
  sort --output=f a.txt
  sort --outp f a.txt
  sort -T . a.txt
  sort --temporary-directory=. a.txt
  sort --compress-program=./x a.txt
  sort --random-source=a.txt a.txt
  sort --parallel=2 a.txt
  uniq a.txt out.txt
  uniq -c a.txt out.txt
  file -f a.txt
  file --files-from a.txt
  file -C -m a.txt
  file -m a.txt sub
  file -z a.txt
  file -s a.txt
  file -S a.txt
  tree -o f
  tree -l
  tree -R -L 1
  tree --fromfile a.txt
  diff -r . sub
  diff --recursive . sub
  diff -l a.txt sub/b.txt
  diff --paginate a.txt sub/b.txt
  diff --from-file=a.txt sub/b.txt
  diff --to-file=a.txt sub/b.txt
  diff -X a.txt . sub
  diff --exclude-from=a.txt . sub
  diff . sub
  diff a.txt sub
  md5sum -c a.txt
  sha256sum --check a.txt
  sha1sum -c a.txt
  grep -R x .
  grep --dereference-recursive x .
  grep -f a.txt sub/b.txt
  grep --file=a.txt sub/b.txt
  grep -d recurse x .
  grep --directories=recurse x .
  grep --exclude-from=a.txt x .
  grep -D read x .
  rg -L x
  rg --follow x
  rg -z x
  rg --search-zip x
  rg --pre ./x y
  rg --pre=./x y
  rg --pre-glob '*' y
  rg --hostname-bin=./x y
  rg -f a.txt
  rg --file a.txt
  rg --ignore-file a.txt x
  rg --hyperlink-format=x y
  find . -exec ls ';'
  find . -execdir ls ';'
  find . -ok ls ';'
  find . -okdir ls ';'
  find . -delete
  find . -fprint f
  find . -fprint0 f
  find . -fprintf f x
  find . -fls f
  find -L .
  find -H .
  find . -follow
  find -D exec .
  find -files0-from a.txt
  find . -files0-from a.txt
  find . -newerXY a.txt
  find . -unknown
  find . -newer /etc/passwd
  find . -samefile /etc/passwd
  id --unknown
  uname --hel
  tail --pid=1 -f a.txt
  tail --retry a.txt
  which -s node
  seq --format=%n 3
  readlink --zero -x a
  stat --cached=never a.txt
  env
  printenv
  set
  export
  date -s 1
  PATH=. ls
  ls > out.txt
  cat a.txt | tee b.txt
  xargs ls
  sed -n 1p a.txt
  awk '{print}' a.txt
  jq . a.json
  column -t a.txt
  man ls
  less a.txt
  type ls
  command ls
  builtin pwd
  noglob ls
  eval ls
  exec ls
  trap ls EXIT
  . ./a.txt
  source a.txt
  hash -p /bin/ls x
  enable -f x y
  read x
  mapfile x
  test -f a.txt
`);

const GIT_ALLOWED = rows(`
  git status
  git status -sb
  git status --porcelain=v2 --branch
  git status -uno
  git log --oneline -5
  git log -n 3 --stat
  git log -p -2 sub/b.txt
  git log --format='%h %s' main..HEAD
  git log --since=yesterday --author=x
  git log -S foo
  git log -L 1,5:a.txt
  git log --graph --all --decorate
  git show HEAD
  git show HEAD:a.txt
  git show --stat HEAD~1
  git diff
  git diff --cached
  git diff --staged --name-only
  git diff HEAD~1 -- sub/b.txt
  git diff -U10 -w
  git diff --stat=80
  git blame a.txt
  git blame -L 1,3 a.txt
  git shortlog -sn HEAD
  git describe --tags --always
  git rev-parse --abbrev-ref HEAD
  git rev-parse --show-toplevel
  git rev-list --count HEAD
  git ls-files
  git ls-files -o --exclude-standard
  git ls-tree -r --name-only HEAD
  git cat-file -p HEAD
  git cat-file -t HEAD
  git merge-base main HEAD
  git name-rev HEAD
  git show-ref --heads
  git for-each-ref --sort=-committerdate --format='%(refname)' refs/heads
  git diff-tree -r HEAD
  git branch
  git branch -a
  git branch -vv
  git branch --show-current
  git branch --contains HEAD
  git tag -l
  git tag -n
  git remote -v
  git stash list
  git worktree list
`);

const GIT_ASKED = rows(`
  git log --output=f
  git log --output f
  git log --outp=f
  git diff --output=f
  git show --output=f HEAD
  git diff --ext-diff
  git log --ext-diff -p
  git diff --textconv
  git show --textconv HEAD
  git blame --contents=/etc/passwd a.txt
  git blame --contents a.txt a.txt
  git blame --ignore-revs-file=/etc/passwd a.txt
  git blame --ignore-revs-file a.txt a.txt
  git blame -S a.txt a.txt
  git blame /etc/passwd
  git diff --from-file=x
  git diff -O/etc/passwd
  git diff -Oorder
  git log -O order
  git diff --no-index a.txt sub/b.txt
  git diff --no-i a.txt sub/b.txt
  git diff /etc/passwd a.txt
  git diff ../outside/secret.txt a.txt
  git log --format=%G?
  git log --pretty='%h %GS'
  git log --pretty=format:%GK
  git show --format='%GG' HEAD
  git log --show-signature
  git for-each-ref --format='%(signature)'
  git diff --submodule=diff
  git log --submodule=log -p
  git diff --submodule
  git log --stdin
  git rev-list --stdin
  git cat-file --batch
  git cat-file --textconv HEAD:a.txt
  git cat-file --filters HEAD:a.txt
  git ls-files -X a.txt
  git ls-files --exclude-from=/etc/passwd
  git ls-files --exclude-per-directory=x
  git rev-parse --parseopt
  git grep x
  git grep -O x
  git -c core.pager=x log
  git -C sub status
  git --git-dir=x status
  git --exec-path=x status
  git --paginate log
  git branch new
  git branch -d old
  git branch -m x
  git branch --edit-description
  git tag v1
  git tag -d v1
  git remote add x y
  git remote show origin
  git remote update
  git stash
  git stash pop
  git worktree add x
  git fetch
  git pull
  git config x
  git difftool
  git mergetool
  git bisect start
  git archive HEAD
  git format-patch HEAD~1
  git bundle create x HEAD
  git submodule status
  git describe --dirty
  git describe --always --dirty=+
  git describe --broken
  git reflog expire --all
  git gc
  git fsck
  git show HEAD:../x
  git status --unknown
  git log --max
`);

describe("Bash commands", () => {
  test("that only read the project run without a question", async () => {
    const rig = await makeRig();
    const wrong: string[] = [];
    for (const command of ALLOWED)
      if ((await outcome(rig, "Bash", { command })) !== "allow") wrong.push(command);
    expect(wrong).toEqual([]);
  });
});

describe("other Bash commands", () => {
  test("that may do more are asked about", async () => {
    const rig = await makeRig();
    const wrong: string[] = [];
    for (const command of ASKED) if ((await outcome(rig, "Bash", { command })) !== "ask") wrong.push(command);
    expect(wrong).toEqual([]);
  });
});

describe("git commands", () => {
  test("that only show something run without a question", async () => {
    const rig = await makeRig();
    const wrong: string[] = [];
    for (const command of GIT_ALLOWED)
      if ((await outcome(rig, "Bash", { command })) !== "allow") wrong.push(command);
    expect(wrong).toEqual([]);
  });

  test("that may write, run something or read elsewhere are asked about", async () => {
    const rig = await makeRig();
    const wrong: string[] = [];
    for (const command of GIT_ASKED)
      if ((await outcome(rig, "Bash", { command })) !== "ask") wrong.push(command);
    expect(wrong).toEqual([]);
  });
});

describe("a path that may not be read", () => {
  const closed = { user: { permissions: { deny: ["Read(.env)", "Read(./secrets/**)"] } } } as const;
  const DENIED = rows(`
    cat .env
    head -1 ./.env
    grep x .env
    git show HEAD:.env
    git blame .env
    git diff HEAD .env
    git log -p .env
    git log -p -- .env
    git show HEAD:sub/.env
    git diff HEAD -- sub/.env
    mv .env e.txt
    cp .env e.txt
    mv -f ./.env e.txt
    cp secrets/key k
    cat secrets/key
    diff .env a.txt
    sort .env
    cat < .env
  `);
  const UNDECIDED = rows(`
    grep -r x .
    grep -rn x
    rg --hidden x
    rg x .
    rg -uuu x
    git show HEAD
    git log -p
    git log -S x
    git diff
    git diff HEAD~1
    git cat-file -p HEAD
    git log -p -- .
    git log -p -- sub
    cat .e*
    cat $X
    head -1 ./*
    git show $(echo HEAD):.env
    git blame -L 1,2 secrets
    mv secrets s2
    cp .env* e
    diff . sub
  `);
  const OPEN = rows(`
    grep -r x sub
    rg x sub
    git log --oneline
    git status
    git diff -- sub/b.txt
    git blame sub/b.txt
    git diff HEAD~1 -- sub/b.txt
    ls -la
    find . -name x
    cat a.txt
  `);

  async function closedRig(mode?: "acceptEdits" | "bypassPermissions") {
    const rig = await makeRig({ ...closed, ...(mode && { mode }) });
    put(join(rig.project, ".env"), "KEY=1");
    put(join(rig.project, "secrets/key"), "KEY=2");
    return rig;
  }

  test("is denied to every command that names it, in every mode", async () => {
    for (const mode of [undefined, "acceptEdits", "bypassPermissions"] as const) {
      const rig = await closedRig(mode);
      const wrong: string[] = [];
      for (const command of DENIED)
        if ((await outcome(rig, "Bash", { command })) !== "deny") wrong.push(command);
      expect(wrong, mode).toEqual([]);
    }
  });

  test("is asked about if a command may reach it, even if the command is allowed", async () => {
    const allowing = [
      "Bash(grep:*)",
      "Bash(rg:*)",
      "Bash(git:*)",
      "Bash(mv:*)",
      "Bash(cat:*)",
      "Bash(head:*)",
    ];
    const permissions = { ...closed.user.permissions, allow: allowing };
    const rig = await makeRig({ mode: "acceptEdits", user: { permissions } });
    put(join(rig.project, ".env"), "KEY=1");
    put(join(rig.project, "secrets/key"), "KEY=2");
    const wrong: string[] = [];
    for (const command of UNDECIDED)
      if ((await outcome(rig, "Bash", { command })) !== "ask") wrong.push(command);
    expect(wrong).toEqual([]);
  });

  test("does not affect commands that can't reach it", async () => {
    const rig = await closedRig();
    const wrong: string[] = [];
    for (const command of OPEN)
      if ((await outcome(rig, "Bash", { command })) !== "allow") wrong.push(command);
    expect(wrong).toEqual([]);
  });

  test("that does not exist has no effect either, except on git's history", async () => {
    const rig = await makeRig(closed);
    expect(await outcome(rig, "Bash", { command: "grep -r x ." })).toBe("allow");
    expect(await outcome(rig, "Bash", { command: "git log -p" })).toBe("ask");
  });
});

test("configuration files of shells and editors are asked about even if edits are allowed", async () => {
  const rig = await makeRig({ mode: "acceptEdits" });
  const paths = rows(`
    .bash_aliases
    .zlogout
    .zsh_aliases
    .cshrc
    .tcshrc
    .login
    .kshrc
    .inputrc
    .config/fish/config.fish
    .config/fish/conf.d/x.fish
    .config/git/config
    .config/nvim/init.lua
    .config/systemd/user/x.service
    .vimrc
    .exrc
    .tmux.conf
    .yarnrc.yml
    .CSHRC
  `);
  const wrong: string[] = [];
  for (const path of paths) {
    if ((await outcome(rig, "Write", { file_path: path })) !== "ask") wrong.push(`Write ${path}`);
    if ((await outcome(rig, "Bash", { command: `touch ${path}` })) !== "ask") wrong.push(`touch ${path}`);
  }
  expect(wrong).toEqual([]);
});

test("diffs of folders are asked about if links in the folders lead out of the project", async () => {
  const rig = await makeRig();
  mkdirSync(join(rig.project, "one"));
  mkdirSync(join(rig.project, "two"));
  symlinkSync(join(rig.outside, "secret.txt"), join(rig.project, "one/x"));
  expect(await outcome(rig, "Bash", { command: "diff one two" })).toBe("ask");
});
