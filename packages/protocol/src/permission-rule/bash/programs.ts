import { nameSet } from "./name-set.ts";

const SHELL_NAMES = "sh bash zsh dash ksh mksh ash fish csh tcsh";

/** Shells: their arguments and their input are commands. */
export const SHELLS = nameSet(SHELL_NAMES);

/** Programs made to run anything: a rule that names one allows that, a rule that begins with a wildcard doesn't. */
export const OPEN_RUNNERS = nameSet(
  SHELL_NAMES,
  "eval source . trap alias sudo doas su runuser pkexec ssh busybox toybox npx bunx uvx pipx parallel",
  "systemd-run chroot nsenter unshare script entr",
);

/** Programs made for something else that also run or load others: a rule that names one doesn't name the other. */
export const SIDE_RUNNERS = nameSet(
  "watch setsid ionice flock chrt taskset strace ltrace setarch prlimit numactl fakeroot proot unbuffer rlwrap",
  "xvfb-run dbus-run-session caffeinate torsocks proxychains",
  "mapfile readarray compgen complete bind fc enable hash let declare typeset local",
);

/** Programs that run what they read. */
export const INPUT_RUNNERS = nameSet(
  SHELL_NAMES,
  "python python2 python3 node deno bun perl ruby php lua Rscript osascript pwsh",
  "psql mysql mariadb sqlite3 ssh at batch crontab gdb ed ex vi vim parallel",
);

/** Builtins that evaluate an index in the name of a variable, which may run a command however it is quoted. */
export const NAME_EVALUATORS = nameSet("export readonly unset read test [ wait getopts");

/** Predicates of `find` that run, delete or write. */
export const FIND_ACTIONS = nameSet("-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls");
