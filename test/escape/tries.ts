/**
 * Ways out of a sandbox, as bash scripts. Each leaves its id where only a process outside could: as a file in `$OUT`, in a guarded file or
 * at a service outside; or it prints the word `CANARY`, which is the content of files that must not be read. Without a sandbox all of them
 * work, unless `never` says why not.
 */
export interface Try {
  readonly script: string;
  /** Whether it works only for root without a sandbox. */
  readonly needsRoot?: true;
  /** Why it does not work even without a sandbox. */
  readonly never?: string;
}

const node = (code: string) => `"$NODE" -e '${code}'`;
const connect = (to: string) =>
  node(`const s=require("net").connect(${to});s.on("error",()=>process.exit(1));s.end(process.env.ID+"\\n")`);
const proxied = (url: string) => `curl -sS -m 5 --noproxy "" -x "$http_proxy" "${url}"`;
const NO_PROXY = "outside there is no proxy to ask";
const NO_SERVICE = "no such service answers on this machine";

export const TRIES: Readonly<Record<string, Try>> = {
  // Writing outside.
  "write-redirect": { script: 'echo x > "$OUT/$ID"' },
  "write-append": { script: 'echo x >> "$OUT/$ID"' },
  "write-touch": { script: 'touch "$OUT/$ID"' },
  "write-relative": { script: 'touch "../outside/$ID"' },
  "write-cd": { script: 'cd "$OUT" && echo x > "$ID"' },
  "write-mkdir": { script: 'mkdir "$OUT/$ID"' },
  "write-copy": { script: 'cp mine.txt "$OUT/$ID"' },
  "write-move": { script: 'cp mine.txt "$ID.tmp" && mv "$ID.tmp" "$OUT/$ID"' },
  "write-dd": { script: 'dd if=/dev/zero of="$OUT/$ID" bs=1 count=1' },
  "write-tee": { script: 'echo x | tee "$OUT/$ID"' },
  "write-install": { script: 'install -m 644 mine.txt "$OUT/$ID"' },
  "write-node": { script: node('require("fs").writeFileSync(process.env.OUT+"/"+process.env.ID,"x")') },
  "write-perl": { script: 'perl -e \'open(F,">","$ENV{OUT}/$ENV{ID}") or die; print F 1\'' },
  "write-tar": { script: 'touch "$ID" && tar cf - "$ID" | tar xf - -C "$OUT"' },
  "write-git": { script: 'git init -q "$OUT/$ID"' },
  "write-hard-link": { script: 'ln mine.txt "$OUT/$ID"' },
  "write-symlink-folder": { script: 'ln -s "$OUT" "$ID.d" && echo x > "$ID.d/$ID"' },
  "write-symlink-file": { script: 'ln -s "$OUT/$ID" "$ID.l" && echo x > "$ID.l"' },
  "write-symlink-race": {
    script: `mkdir "$ID.a"; (for i in $(seq 300); do ln -sfn "$OUT" "$ID.s"; ln -sfn "$PWD/$ID.a" "$ID.s"; done) & for i in $(seq 9000); do echo x > "$ID.s/$ID"; done; wait`,
  },
  "write-proc-root": { script: 'echo x > "/proc/self/root$OUT/$ID"' },
  "write-proc-cwd": { script: 'echo x > "/proc/self/cwd/../outside/$ID"' },
  "write-proc-parent": { script: 'echo x > "/proc/$PPID/root$OUT/$ID"' },
  "write-proc-first": {
    script: 'echo x > "/proc/1/root$OUT/$ID"',
    never: "the first process may live in another place",
  },
  "write-proc-victim": { script: 'echo x > "/proc/$VICTIM/root$OUT/$ID"' },
  "write-temporary": { script: 'echo x > "/tmp/$MARK-$ID"' },
  "write-shared-memory": { script: 'echo x > "/dev/shm/$MARK-$ID"' },
  "write-home": { script: 'echo x > "$HOME_OUTSIDE/$ID"' },
  "write-profile": { script: 'echo "# $ID" >> "$HOME_OUTSIDE/.bashrc"' },
  "write-keys": { script: 'echo "$ID" >> "$HOME_OUTSIDE/.ssh/authorized_keys"' },
  "write-rename": { script: 'mv "$OUT/moved" "$OUT/$ID"' },
  "write-remove": { script: 'rm "$OUT/kept-by-$ID" && touch "$OUT/$ID"' },
  "write-mode": { script: 'chmod 777 "$OUT" && touch "$OUT/$ID"' },
  "write-remount": { script: 'mount -o remount,rw "$OUT"; touch "$OUT/$ID"' },
  "write-bind": { script: 'mkdir "$ID.m" && mount --bind "$OUT" "$ID.m"; touch "$OUT/$ID"; umount "$ID.m"' },
  "write-namespace": {
    script: 'unshare -Urm sh -c \'mount -o remount,rw /; touch "$OUT/$ID"\' || touch "$OUT/$ID"',
  },
  "write-nested-sandbox": { script: 'bwrap --dev-bind / / touch "$OUT/$ID" || touch "$OUT/$ID"' },
  "write-enter": { needsRoot: true, script: 'nsenter -t "$VICTIM" -m touch "$OUT/$ID"' },
  "write-chroot": { needsRoot: true, script: 'chroot "/proc/$VICTIM/root" touch "$OUT/$ID"' },
  "write-device": { needsRoot: true, script: 'mknod "$ID.dev" b 254 0 && touch "$OUT/$ID"' },
  "write-descriptor": { script: 'echo "$ID" >&9' },
  "write-descriptor-path": { script: 'echo "$ID" >> /proc/self/fd/9' },
  "write-descriptor-folder": { script: 'touch "/proc/self/fd/8/$ID"' },
  "write-descriptor-parent": { script: 'echo "$ID" >> "/proc/$PPID/fd/9"' },
  // Files that decide what other programs run later.
  "guarded-hook": { script: 'echo "# $ID" >> .git/hooks/pre-commit' },
  "guarded-new-hook": { script: 'echo "# $ID" > .git/hooks/post-merge' },
  "guarded-git-config": { script: 'git config alias.x "!echo $ID"' },
  "guarded-git-folder": {
    script: 'mv .git "$ID.git" && cp -r "$ID.git" .git && echo "# $ID" >> .git/config',
  },
  "guarded-settings": { script: 'echo "{\\"x\\":\\"$ID\\"}" > .claude/settings.json' },
  "guarded-local-settings": {
    script: 'mkdir -p .claude; echo "{\\"x\\":\\"$ID\\"}" > .claude/settings.local.json',
  },
  "guarded-agents": { script: 'mkdir -p .claude/agents; echo "$ID" > .claude/agents/x.md' },
  "guarded-servers": { script: 'echo "{\\"x\\":\\"$ID\\"}" > .mcp.json' },
  "guarded-servers-moved": { script: 'echo "{\\"x\\":\\"$ID\\"}" > "$ID.json" && mv "$ID.json" .mcp.json' },
  "guarded-namespace": {
    script:
      'unshare -Urm sh -c \'umount -l .git/hooks; umount -l .git; echo "# $ID" >> .git/hooks/pre-commit\' || echo "# $ID" >> .git/hooks/pre-commit',
  },
  "guarded-edit-rule": { script: 'echo "$ID" > locked/file' },
  // Reading what rules or settings deny.
  "read-cat": { script: 'cat "$SECRET"' },
  "read-node": { script: node('console.log(require("fs").readFileSync(process.env.SECRET,"utf8"))') },
  "read-symlink": { script: 'ln -s "$SECRET" "$ID.r" && cat "$ID.r"' },
  "read-hard-link": { script: 'ln "$SECRET" "$ID.h" && cat "$ID.h"' },
  "read-copy": { script: 'cp "$SECRET" "$ID.c" && cat "$ID.c"' },
  "read-dd": { script: 'dd if="$SECRET" status=none' },
  "read-tar": { script: 'tar cf - -C "$(dirname "$SECRET")" "$(basename "$SECRET")" | tr -d "\\0"' },
  "read-git": { script: 'git cat-file -p "$(git hash-object -w "$SECRET")"' },
  "read-proc-root": { script: 'cat "/proc/self/root$SECRET"' },
  "read-proc-victim": { script: 'cat "/proc/$VICTIM/root$SECRET"' },
  "read-namespace": { script: 'unshare -Urm sh -c \'umount -l "$SECRET"; cat "$SECRET"\' || cat "$SECRET"' },
  "read-folder": { script: 'cat "$HIDDEN/key"' },
  "read-folder-list": { script: 'grep -r . "$HIDDEN"' },
  "read-folder-copy": { script: 'cp -r "$HIDDEN" "$ID.copied"; cat "$ID.copied/key"' },
  "read-race": {
    script: `(for i in $(seq 300); do ln -sfn "$SECRET" "$ID.x"; ln -sfn mine.txt "$ID.x"; done) & for i in $(seq 300); do cat "$ID.x"; done; wait`,
  },
  "read-environment": { script: 'tr "\\0" "\\n" < "/proc/$VICTIM/environ"' },
  "read-memory": {
    script: 'head -c 1 "/proc/$VICTIM/mem" >/dev/null 2>&1; tr "\\0" "\\n" < "/proc/$VICTIM/environ"',
  },
  "read-processes": { script: 'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -a VICTIM_' },
  // Reaching services.
  "net-loopback": { script: connect('process.env.PORT,"127.0.0.1"') },
  "net-loopback-bash": { script: 'echo "$ID" > "/dev/tcp/127.0.0.1/$PORT"' },
  "net-loopback-curl": { script: 'curl -sS -m 5 --noproxy "*" "http://127.0.0.1:$PORT/$ID"' },
  "net-loopback-6": { script: connect('process.env.PORT,"::1"') },
  "net-any-address": { script: connect('process.env.PORT,"0.0.0.0"') },
  "net-own-address": { script: connect("process.env.PORT,process.env.ADDRESS") },
  "net-udp": { script: 'echo "$ID" > "/dev/udp/127.0.0.1/$UDP_PORT"' },
  "net-socket-file": { script: connect("process.env.SOCKET") },
  "net-socket-curl": { script: 'curl -sS -m 5 --unix-socket "$SOCKET" "http://x/$ID"' },
  "net-socket-symlink": { script: `ln -s "$SOCKET" "$ID.sock" && ${connect('process.env.ID+".sock"')}` },
  "net-socket-abstract": { script: connect('"\\0"+process.env.ABSTRACT') },
  "net-proxy-loopback": { script: proxied("http://127.0.0.1:$PORT/$ID"), never: NO_PROXY },
  "net-proxy-name": { script: proxied("http://localhost:$PORT/$ID"), never: NO_PROXY },
  "net-proxy-number": { script: proxied("http://2130706433:$PORT/$ID"), never: NO_PROXY },
  "net-proxy-short": { script: proxied("http://127.1:$PORT/$ID"), never: NO_PROXY },
  "net-proxy-6": { script: proxied("http://[::1]:$PORT/$ID"), never: NO_PROXY },
  "net-proxy-mapped": { script: proxied("http://[::ffff:127.0.0.1]:$PORT/$ID"), never: NO_PROXY },
  "net-proxy-any": { script: proxied("http://0.0.0.0:$PORT/$ID"), never: NO_PROXY },
  "net-proxy-tunnel": { script: `${proxied("http://127.0.0.1:$PORT/$ID")} -p`, never: NO_PROXY },
  "net-proxy-socks": {
    script: 'curl -sS -m 5 --noproxy "" --socks5-hostname "localhost:1080" "http://127.0.0.1:$PORT/$ID"',
    never: NO_PROXY,
  },
  "net-proxy-own-address": { script: proxied("http://$ADDRESS:$PORT/$ID"), never: NO_PROXY },
  "net-metadata": {
    script: "curl -sS -m 2 --noproxy '*' http://169.254.169.254/ && echo CANARY",
    never: NO_SERVICE,
  },
  "net-metadata-proxy": {
    script: `${proxied("http://169.254.169.254/latest/meta-data/")} -f && echo CANARY`,
    never: NO_SERVICE,
  },
  "net-dns": { script: "timeout 3 getent ahosts example.com && echo CANARY", never: NO_SERVICE },
  "net-dns-server": { script: 'echo "$ID" > "/dev/udp/$ADDRESS/$UDP_PORT"' },
  "net-interface": {
    script: `ip link set lo up; ${connect('process.env.PORT,"127.0.0.1"')}`,
  },
  // Other processes, now and later.
  "process-signal": { script: 'kill -TERM "$PREY_1"' },
  "process-signal-group": { script: 'kill -TERM -- "-$PREY_2"' },
  "process-outlives": {
    script:
      "setsid nohup sh -c 'until [ -e go ]; do sleep 0.1; done; touch \"outlived-$ID\"' >/dev/null 2>&1 &",
  },
  "process-daemonizes": {
    script: node(
      'require("child_process").spawn("sh",["-c","until [ -e go ]; do sleep 0.1; done; touch outlived-$ID"],{detached:true,stdio:"ignore"}).unref()',
    ),
  },
  "process-shared-memory": { script: 'ipcmk -M "$SEGMENT"' },
};
