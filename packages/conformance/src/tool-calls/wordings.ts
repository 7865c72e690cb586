/** A message that both agents give in different words. The captured groups of both patterns must be equal. */
export interface Wording {
  readonly about: string;
  readonly official: RegExp;
  readonly ours: RegExp;
}

/** Messages that our tools word differently: no program or model depends on the rest of their wording. */
export const WORDINGS: readonly Wording[] = [
  {
    about: "a file was changed, followed by a note about what the model knows of its content",
    official: /^(File created successfully at: \S+|The file \S+ has been updated.*?\.)(?: \(.*\))?$/,
    ours: /^(File created successfully at: \S+|The file \S+ has been updated.*?\.)(?: \(.*\))?$/,
  },
  {
    about: "a file was changed by someone else after the model read it",
    official: /^<tool_use_error>(File has been modified since read), .* Read it again .*$/,
    ours: /^<tool_use_error>(File has been modified since read), .* Read it again .*$/,
  },
  {
    about: "text to replace that occurs more than once",
    official: /^<tool_use_error>(Found \d+ matches .* replace_all is false)\..*(\nString: .*)$/,
    ours: /^<tool_use_error>(Found \d+ matches .* replace_all is false)\..*(\nString: .*)$/,
  },
  {
    about: "text to replace that includes the line numbers of Read",
    official: /^<tool_use_error>(String to replace not found in file\.)(\nString: .*)$/,
    ours: /^<tool_use_error>(String to replace not found in file\.) Leave out the line numbers.*(\nString: .*)$/,
  },
  {
    about: "a symbolic link is not followed when writing",
    official: /^(Refusing to write \S+: it is a symbolic link)\. .* (\S+)\.$/,
    ours: /^<tool_use_error>(Refusing to write \S+: it is a symbolic link)\. .* (\S+)\.<\/tool_use_error>$/,
  },
  {
    about: "text that is not UTF-8 is shown, with a warning",
    official: /^(1\t[\s\S]*)\n\n\[This file (is not valid UTF-8|has NUL bytes)[\s\S]*\]$/,
    ours: /^(1\t[\s\S]*)\n\n\[The file (is not valid UTF-8|has NUL bytes)[\s\S]*\]$/,
  },
  {
    about: "text that is not UTF-8 is not written",
    official: /^(?:<tool_use_error>)?File (is not valid UTF-8|has NUL bytes).* so nothing was written/,
    ours: /^<tool_use_error>File (is not valid UTF-8|has NUL bytes).* Nothing was written/,
  },
  {
    about: "a folder is not a file",
    official: /EISDIR: illegal operation on a directory|is a directory, not a file/,
    ours: /is a folder[.,] /,
  },
  {
    about: "a device is not read",
    official: /^<tool_use_error>Cannot read '(\S+)': this path names a device/,
    ours: /^<tool_use_error>(\S+) is a device/,
  },
  {
    about: "a binary file is not read",
    official: /^<tool_use_error>This tool cannot read binary files\. .* a binary (\.\w+) file/,
    ours: /^<tool_use_error>\S+(\.\w+) is a binary file/,
  },
  {
    about: "an invalid image or PDF file",
    official:
      /^(?:File has an image extension but|Image file is empty|File is not a valid PDF|PDF file is empty)/,
    ours: /is not a valid (?:PNG, JPEG, GIF or WebP image|PDF file)\.$/,
  },
  {
    about: "a file that is too long",
    official: /^File content \((\d+)KB\) exceeds maximum allowed size \((\d+)KB\)/,
    ours: /^What you asked for of \S+ \((\d+)\.\d KB in all\) is more than the (\d+) KB/,
  },
  {
    about: "a missing file; ours suggests more names",
    official: /^(<tool_use_error>)?(File does not exist\. Note: your current working directory is \S+\.)/,
    ours: /^(<tool_use_error>)?(File does not exist\. Note: your current working directory is \S+\.)/,
  },
  {
    about: "a part of the path is not a folder, or a link is circular",
    official: /ENOTDIR: not a directory|^Refusing to read \S+: where it leads on disk/,
    ours: /^File does not exist\.|^EEXIST: |^ELOOP: /,
  },
  {
    about: "a notebook can't be edited as text, nor a text file as a notebook",
    official: /^<tool_use_error>File (?:is a Jupyter Notebook|must be a Jupyter notebook)/,
    ours: /^<tool_use_error>\S+ is (?:a|not a) notebook\./,
  },
  {
    about: "an invalid notebook",
    official: /^Notebook file is not (?:valid JSON|a valid Jupyter notebook)/,
    ours: /^\S+ is not a valid notebook\./,
  },
  {
    about: "a missing cell id or cell type",
    official: /^<tool_use_error>Cell (?:type is required|ID must be specified|with index 99 does not exist)/,
    ours: /^<tool_use_error>(?:To insert a cell, cell_type|cell_id must say|Cell with ID "cell-99" not found)/,
  },
  {
    about: "an invalid parameter",
    official:
      /^<tool_use_error>InputValidationError: (?:\[|This call included|NotebookEdit failed [\s\S]*This tool's schema)/,
    ours: /^<tool_use_error>InputValidationError: \w+ failed due to the following issue:\n/,
  },
  {
    about: "a negative count",
    official: /^<tool_use_error>(head_limit) must be a whole number of 0 or more/,
    ours: /The parameter `(head_limit)` must be at least 0/,
  },
  {
    about: "more files were found than are listed",
    official: /^([^(]*)\(Showing (\d+) of (\d+) matching files; (\d+) more/,
    ours: /^([^(]*)\(These are (\d+) of (\d+) files; (\d+) more/,
  },
  {
    about: "a missing folder",
    official: /^(Directory does not exist: )/,
    ours: /^(Directory does not exist: )/,
  },
  {
    about: "an error reported by ripgrep",
    official: /^Search failed — .*\n(rg: [\s\S]*)$/,
    ours: /^ripgrep refused the (?:search|pattern):\n(rg: [\s\S]*)$/,
  },
  {
    about: "a command that continues in the background",
    official:
      /^(before\n)?(?:done\n)?(Command running in background with ID: \S+ Output is being written to: \S+) /,
    ours: /^(before\n)?(Command running in background with ID: \S+ Output is being written to: \S+) /,
  },
  {
    about: "a command that timed out; ours reports the time to a tenth of a second",
    official: /^(Exit code 143\nCommand timed out after 0)s$/,
    ours: /^(Exit code 143\nCommand timed out after 0)\.3s$/,
  },
  {
    about: "a command that begins with a sleep",
    official: /^<tool_use_error>Blocked: sleep (\d+) followed by/,
    ours: /^<tool_use_error>Blocked: .* a sleep of (\d+) s/,
  },
  {
    about: "the todo list is stored",
    official: /^(Todos have been modified successfully)/,
    ours: /^(Todos have been modified successfully)/,
  },
  {
    about: "a page that can't be fetched",
    official: /^(?:Invalid URL|Unable to verify if domain)|InputValidationError: [\s\S]*Invalid URL/,
    ours: / could not be fetched: /,
  },
  {
    about: "an unknown skill; ours lists the known ones",
    official: /^<tool_use_error>(Unknown skill: \S+?)<\/tool_use_error>$/,
    ours: /^<tool_use_error>(Unknown skill: \S+?)\. Known: .*$/,
  },
  {
    about: "plan mode is off",
    official: /^<tool_use_error>You are not in plan mode\./,
    ours: /^<tool_use_error>Plan mode is off/,
  },
  {
    about: "a tool that is not available in the session",
    official: /^<tool_use_error>(Error: No such tool available: \w+)/,
    ours: /^<tool_use_error>(Error: No such tool available: \w+)/,
  },
  {
    about: "a subagent's report, marked as such, with its id and usage",
    official:
      /^\[Subagent hand-back\][\s\S]*The report follows:\n {2}(\w+)[\s\S]*\nagentId: \S+ [\s\S]*\n<usage>subagent_tokens: \d+\n(tool_uses: \d+)\nduration_ms: <ms><\/usage>$/,
    ours: /^\[The report of the subagent follows;.*\]\n(\w+)[\s\S]*\nagentId: \S+\n<usage>subagent_tokens: \d+\n(tool_uses: \d+)\nduration_ms: <ms><\/usage>$/,
  },
  {
    about: "an unknown agent type",
    official: /^(Agent type '\w+' not found\. Available agents: )/,
    ours: /^(Agent type '\w+' not found\. Available agents: )/,
  },
];
