// Plays a harness to one of our plugin files: argv = PLUGIN HARNESS, stdin = [[what, ...], ...].
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [file, harness] = process.argv.slice(2);
const calls = JSON.parse(readFileSync(0, "utf8"));
const made = await import(pathToFileURL(file).href);
const shown = [];
const play = harness === "pi" ? await pi() : await opencode();
for (const [name, ...args] of calls) {
  try {
    shown.push(await play(name, ...args));
  } catch (error) {
    shown.push({ thrown: error.message });
  }
}
process.stdout.write(JSON.stringify(shown));

async function pi() {
  const handlers = new Map();
  await made.default({ on: (name, handler) => handlers.set(name, handler) });
  const notes = [];
  const ctx = { cwd: process.cwd(), hasUI: true, ui: { notify: (text) => notes.push(text) } };
  ctx.sessionManager = { getSessionId: () => "root" };
  return async (name, event) => {
    const returned = await handlers.get(name)?.(event ?? {}, ctx);
    return { returned: returned ?? null, notes: notes.splice(0) };
  };
}

async function opencode() {
  const notes = [];
  const client = {
    session: { get: async ({ path }) => ({ data: { parentID: path.id === "sub" ? "root" : undefined } }) },
    tui: { showToast: async ({ body }) => notes.push(body.message) },
  };
  const [plugin, ...others] = Object.values(made);
  if (others.length) throw new Error("OpenCode calls every export");
  const hooks = await plugin({ client, directory: process.cwd() });
  return async (name, input, output) => {
    await hooks[name]?.(input, output);
    return { output: output ?? null, notes: notes.splice(0) };
  };
}
