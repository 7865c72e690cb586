import { nameSet } from "./name-set.ts";

const SHELL_NAMES = "sh bash zsh dash ksh mksh ash fish csh tcsh";

/** Shells: their arguments and their input are commands. */
export const SHELLS = nameSet(SHELL_NAMES);

/** Programs made to run anything: a rule that names one allows that; a rule that begins with a wildcard doesn't. */
export const OPEN_RUNNERS = nameSet(
  SHELL_NAMES,
  "eval source . trap alias sudo doas su runuser pkexec ssh busybox toybox npx bunx uvx pipx parallel",
  "systemd-run chroot nsenter unshare script entr",
);

/** Programs with another purpose that also run or load others: a rule that names one doesn't name the other. */
export const SIDE_RUNNERS = nameSet(
  "watch setsid ionice flock chrt taskset strace ltrace setarch prlimit numactl fakeroot proot unbuffer rlwrap",
  "xvfb-run dbus-run-session caffeinate torsocks proxychains",
  "mapfile readarray compgen complete bind fc enable hash let declare typeset local",
);

/** Programs that execute their input. */
export const INPUT_RUNNERS = nameSet(
  SHELL_NAMES,
  "python python2 python3 node deno bun perl ruby php lua Rscript osascript pwsh",
  "psql mysql mariadb sqlite3 ssh at batch crontab gdb ed ex vi vim parallel",
);

/** Builtins that evaluate an index in a variable's name, which may run a command however it is quoted. */
export const NAME_EVALUATORS = nameSet("export readonly unset read test [ wait getopts");

/**
 * Programs that never take their arguments for a command. Every other program may: a deny rule searches the
 * arguments of any program it does not know, as it must for `noglob`, `coproc`, `perf stat` and whatever is
 * written next.
 */
export const ARGUMENT_KEEPERS = nameSet(
  "arch b2sum base32 base64 basename bc cal cat cd chattr chgrp chmod chown cksum clear cmp column comm cp csplit cut date dc dd",
  "df diff diff3 dig dir dircolors dirname dirs du echo egrep expand export expr factor false fgrep file fmt fold free getfacl",
  "grep groups gunzip gzip head hexdump host hostid hostname id install ip join kill killall less link ln locate logname look ls",
  "lsattr lsblk lsof md5sum mkdir mkfifo mknod mktemp more mount mv netstat nl nproc nslookup numfmt od paste patch pathchk pgrep",
  "ping pkill popd pr printenv printf ps pushd pwd readlink realpath return rev rg rm rmdir sdiff seq set setfacl sha1sum sha224sum",
  "sha256sum sha384sum sha512sum shift shred shuf sleep sort split ss stat strings stty sum sync tac tail tee test touch tput tr",
  "tree true truncate tsort tty type ulimit umask umount uname unexpand uniq unlink unset unxz unzip uptime users vdir wait wc",
  "whatis whereis which who whoami xxd xz yes zcat zip zstd [ :",
  "ag ack curl jq wget yq black clang cmake eslint flake8 gcc javac jest make mypy ninja prettier pytest ruff rustc tsc vitest",
);

/** Programs with subcommands: only these subcommands run their arguments. */
export const VERB_RUNNERS: ReadonlyMap<string, RegExp> = new Map([
  ["git", /^(?:bisect|difftool|filter-branch|for-each-repo|mergetool|send-email|submodule)$/],
  ...[
    ..."npm pnpm yarn bun cargo go docker podman kubectl gh dotnet pip pip3 poetry uv terraform helm mvn gradle bundle gem".split(
      " ",
    ),
    ..."composer swift deno brew apt apt-get dpkg yum dnf pacman apk systemctl journalctl biome".split(" "),
  ].map(
    (name) =>
      [name, /^(?:run|exec|x|dlx|node|explore|shell|ssh|attach|debug|repl|eval|execute|with|edit)$/] as const,
  ),
]);

/**
 * Options that make a program that otherwise only reads or does its own work write a file or run another
 * program. Abbreviations count, because the programs accept them.
 */
export const RISKY_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ["sort", /^-[^-]*[oT]|^--(?:ou|te|com|fil)/],
  ["tree", /^-[^-]*[oR]|^--ou/],
  ["file", /^-[^-]*[Czm]|^--(?:comp|unc|mag)/],
  ["rg", /^-[^-]*z|^--(?:pre(?:=|$)|hostname-bin|search-zip)/],
  ["diff", /^-[^-]*l|^--pag/],
  ["git", /^(?:-c|-O.*|-x.*|--(?:ou|op|ext|exe|te|upl|rece|conf).*)$/],
  ["go", /^--?(?:toolexec|exec|vettool)/],
  ["cargo", /^--config/],
  ["tar", /^-[^-]*[IF]|^--(?:to-c|chec|use-c|rsh|rmt|inf|new-v)/],
  ["zip", /^-[^-]*T|^--unz/],
  ["rsync", /^-[^-]*e|^--rs/],
  ["scp", /^-[^-]*[So]/],
  ["man", /^-[^-]*[PH]|^--(?:pag|html)/],
  ["npm", /^--(?:script-shell|node-options)/],
  ["pnpm", /^--(?:script-shell|node-options)/],
  ["date", /^-[^-]*s|^--se/],
]);

/** Predicates of `find` that run, delete or write. */
export const FIND_ACTIONS = nameSet("-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls");
