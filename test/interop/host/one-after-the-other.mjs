import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

// Runs programs in this process, each with its own environment variables and after the previous one. What they import stays loaded.
for await (const line of createInterface({ input: process.stdin })) {
  const { program, env } = JSON.parse(line);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const failure = await import(pathToFileURL(program)).then(
    () => "",
    (error) => error.stack,
  );
  process.stdout.write(`${JSON.stringify({ programEnded: true, failure })}\n`);
}
