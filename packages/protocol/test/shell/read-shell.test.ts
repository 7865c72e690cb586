// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are expansions of the shell
import { describe, expect, test } from "vitest";
import { readShell } from "../../src/shell/read-shell.ts";

function sources(text: string): readonly string[] | undefined {
  const reading = readShell(text);
  return reading.ok ? reading.parts.map(({ source }) => source) : undefined;
}

describe("readShell", () => {
  test.each<[string, readonly string[]]>([
    ["git status", ["git status"]],
    ["  a  b\t", ["a  b"]],
    ["a; b", ["a", "b"]],
    ["a;b;", ["a", "b"]],
    ["a && b || c", ["a", "b", "c"]],
    ["a | b |& c", ["a", "b", "c"]],
    ["a & b &", ["a", "b"]],
    ["a\nb\n\nc", ["a", "b", "c"]],
    ["a &&\n  b", ["a", "b"]],
    ["a \\\n b", ["a \\\n b"]],
    ["a # b; c\nd", ["a", "d"]],
    ["a#b ; c", ["a#b", "c"]],
    ["! a", ["a"]],
    ["(a; b) | c", ["a", "b", "c"]],
    ["{ a; b; }", ["a", "b"]],
    ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    ["while a; do b; done", ["a", "b"]],
    ["until a\ndo\n  b\ndone", ["a", "b"]],
    ["for f in x $(a); do b $f; done", ["a", "b $f"]],
    ["a $(b; c) `d`", ["b", "c", "d", "a $(b; c) `d`"]],
    ['a "$(b "$(c)")"', ["c", 'b "$(c)"', 'a "$(b "$(c)")"']],
    ["a <(b) >(c)", ["b", "c", "a <(b) >(c)"]],
    ["a ${x:-$(b)}", ["b", "a ${x:-$(b)}"]],
    ['a "${x:-`b`}"', ["b", 'a "${x:-`b`}"']],
    ["a $((1 + (2 * 3)))", ["a $((1 + (2 * 3)))"]],
    ["x=$(a) b", ["a", "x=$(a) b"]],
    ["a <<EOF\nb $(c)\nEOF\nd", ["a <<EOF", "c", "d"]],
    ["a <<'EOF'\nb $(c)\nEOF\nd", ["a <<'EOF'", "d"]],
    ["a <<-EOF\n\tb\n\tEOF\nd", ["a <<-EOF", "d"]],
    ["a <<X <<Y\n1\nX\n2\nY\nd", ["a <<X <<Y", "d"]],
    ["a <<EOF && b\nc; d\nEOF", ["a <<EOF", "b"]],
    [
      "a \"$(b <<'EOF'\nit's (c); it's d\nEOF\n)\"",
      ["b <<'EOF'", "a \"$(b <<'EOF'\nit's (c); it's d\nEOF\n)\""],
    ],
    ["a <<< 'b; c'", ["a <<< 'b; c'"]],
    ["a '; b' \"; c\" \\; d", ["a '; b' \"; c\" \\; d"]],
    ["a $'b\\x3b c'", ["a $'b\\x3b c'"]],
    ['a $"b; c"', ['a $"b; c"']],
    ["a [b] {c,d} ~ *?", ["a [b] {c,d} ~ *?"]],
    ["a\\ b;c", ["a\\ b", "c"]],
    ["{ a; } > out", ["a", "> out"]],
  ])("finds the commands of %j", (text, parts) => {
    expect(sources(text)).toEqual(parts);
  });

  test.each<[string, string]>([
    ["an empty text", ""],
    ["a comment alone", "# a"],
    ["an open quote", "a 'b"],
    ["an open double quote", 'a "b'],
    ["an open substitution", "a $(b"],
    ["an open backtick", "a `b"],
    ["an open bracket", "(a"],
    ["a stray bracket", "a )"],
    ["an open group", "{ a; "],
    ["an operator with nothing after it", "a &&"],
    ["an operator with nothing before it", "| a"],
    ["two separators", "a ;; b"],
    ["a backslash at the end", "a \\"],
    ["a continued word", "a b\\\nc"],
    ["a continued line within double quotes", 'a "b\\\nc"'],
    ["a dollar before a continued line", "a $\\\n(b)"],
    ["a comment that ends with a backslash", "a # b\\\nc"],
    ["a comment within a substitution", "a $(b # )\n)"],
    ["a carriage return", "a\rb"],
    ["a null character", "a\0b"],
    ["an escape character", "a \u001b[2K"],
    ["a no-break space", "a\u00a0b"],
    ["a zero-width space", "a\u200bb"],
    ["a line separator", "a\u2028b"],
    ["a bidirectional override", "a \u202eb"],
    ["half a surrogate pair", "a \ud800"],
    ["a character that marks are made of", "git\ue000status"],
    ["a function", "a() { b; }"],
    ["a function with its keyword", "function a { b; }"],
    ["a case", "case a in a) b;; esac"],
    ["a conditional expression", "[[ a ]] && b"],
    ["an arithmetic command", "((a))"],
    ["an arithmetic expansion with a name", "a $((b))"],
    ["an old arithmetic expansion", "a $[1]"],
    ["a subshell that looks like arithmetic", "a $((b); (c))"],
    ["a prompt expansion", "a ${b@P}"],
    ["an indirect expansion", "a ${!b}"],
    ["an assigning expansion", "a ${b:=c}"],
    ["a substring expansion", "a ${b:c}"],
    ["an indexed expansion", "a ${b[c]}"],
    ["a function substitution", "a ${ b; }"],
    ["quotes within an expansion", "a ${b:-'}'}"],
    ["a process substitution within an expansion", "a ${b:-<(c)}"],
    ["an expansion of another shell", "a $~b"],
    ["an array", "a=(b c)"],
    ["an array element", "a[b]=c d"],
    ["an extended glob", "a @(b|c)"],
    ["a glob qualifier of another shell", "a *(e:b:)"],
    ["a brace as an argument", "{ a } always { b; }"],
    ["a descriptor variable", "a {b}>c"],
    ["words after &>", "a &>/dev/null b"],
    ["a loop over a variable with a meaning", "for PATH in b; do a; done"],
    ["a loop over a tied array of another shell", "for path in b; do a; done"],
    ["an arithmetic loop", "for ((;;)); do a; done"],
    ["a coprocess", "coproc a"],
    ["a select", "select a in b; do c; done"],
    ["a stray keyword", "then a"],
    ["a loop without its end", "while a; do b"],
    ["a heredoc without its end", "a <<EOF\nb"],
    ["a heredoc whose end is indented", "a <<EOF\nb\n EOF\nEOF"],
    ["a heredoc that ends with a bracket", "a $(b <<EOF\nc\nEOF); d\nEOF\n)"],
    ["a heredoc with a continued line", "a <<EOF\nb\\\nEOF\nc\nEOF"],
    ["a heredoc with an expanded delimiter", 'a <<"$b"\n$b'],
    ["a heredoc in backticks", "a `b <<EOF\nc\nEOF\n`"],
    ["a heredoc with a lone quote in a substitution", "a $(b <<'EOF'\nit's\nEOF\n)"],
    ["a heredoc with a lone bracket in a substitution", "a $(b <<'EOF'\n)\nEOF\n)"],
    ["a heredoc with brackets in a comment in a substitution", "a $(b <<'EOF'\n# (\n)\nEOF\n)"],
    ["a quoted newline after a heredoc", "a <<EOF 'b\nc'\nEOF"],
    ["a substitution after a heredoc", "a <<EOF $(b\n)\nEOF"],
    ["a loop after a heredoc", "a <<EOF | for f in x\ndo\nEOF\nb; done"],
    ["a double quote in quoted backticks", 'a "`b "c"`"'],
    ["a backslash in backticks", "a `b \\`c\\``"],
    ["an escaped quote in an ANSI-C string", "a $'\\'; b #'"],
    ["a redirection without a target", "a >"],
    ["a split operator", "a &\\\n& b"],
    ["deep nesting", `a ${"$(".repeat(200)}b${")".repeat(200)}`],
  ])("does not read %s", (_, text) => {
    expect(readShell(text)).toMatchObject({ ok: false });
  });

  test.each<[string, readonly string[]]>([
    ["a > b", ["write b"]],
    ["a >> b", ["write b"]],
    ["a >| b", ["write b"]],
    ["a &> b", ["write b"]],
    ["a &>> b", ["write b"]],
    ["a <> b", ["write b"]],
    ["a >& b", ["write b"]],
    ["a 2> b", ["write b"]],
    ["> b a", ["write b"]],
    ["a > $b", ["write $b"]],
    ["a > /dev/null/../b", ["write /dev/null/../b"]],
    ["a > /dev/nul*", ["write /dev/nul*"]],
    ["a < b", ["read b"]],
    ["a > /dev/null 2>&1", []],
    ["a 2>'/dev/null' >&2 <&0 3>&-", []],
    ["a &> /dev/null", []],
  ])("finds the files that %j opens", (text, files) => {
    const reading = readShell(text);
    const redirects = reading.ok ? reading.parts.flatMap((part) => part.redirects) : undefined;
    expect(redirects?.map(({ access, target }) => `${access} ${target.source}`)).toEqual(files);
  });

  test("reports the input of a part", () => {
    expect(readShell("a <<X | b\n1\nX\nc | { d; e <<< f; }")).toMatchObject({
      ok: true,
      parts: [
        { source: "a <<X", input: ["1\n"], piped: false },
        { source: "b", input: [], piped: true },
        { source: "c", input: [], piped: false },
        { source: "d", input: [], piped: true },
        { source: "e <<< f", input: ["f"], piped: true },
      ],
    });
  });
});
