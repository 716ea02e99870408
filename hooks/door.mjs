// Asks hooks/gate about one event: JSON in, {deny, context, note} out. Never throws, never hangs.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

const LIMIT = 10_000; // milliseconds: OpenCode and pi wait for ever, so we must not

/** What the gate says of an event; `where` names {python, gate, strict}. */
export async function ask(where, harness, event, limit = LIMIT) {
  return verdict(await run(where, harness, event, limit), where.strict);
}

function verdict(said, strict) {
  if (said.gone) return strict ? { deny: unable("hooks/gate is missing") } : {};
  const answer = parsed(said.out);
  const note = text(answer?.systemMessage);
  const context = text(answer?.additionalContext);
  if (said.code === 0 && answer?.decision === "block") return { deny: text(answer.reason), context, note };
  if (said.code === 0 && (answer || !said.out.trim())) return { context, note };
  if (said.code === 2) return { deny: text(answer?.reason) || said.err.trim() || unable("no reason"), note };
  const why = said.late ? "no answer in time" : `exit ${said.code}`;
  return strict ? { deny: unable(why) } : { note: unable(why) };
}

function unable(why) {
  return `plastic: the gates could not judge this call (${why}); run: plastic doctor`;
}

function text(value) {
  return typeof value === "string" ? value : "";
}

function parsed(out) {
  try {
    const value = JSON.parse(out);
    return value && typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

function run(where, harness, event, limit) {
  return new Promise((done) => {
    const said = { out: "", err: "", code: null, gone: false, late: false };
    let child;
    try {
      const env = { ...process.env, PLASTIC_PYTHON: where.python };
      if (where.strict) env.PLASTIC_STRICT = "1";
      // A folder that is gone would look like a gate that is gone.
      const cwd = event.cwd && existsSync(event.cwd) ? event.cwd : undefined;
      child = spawn(where.gate, [harness], { env, cwd, detached: true, stdio: "pipe" });
    } catch {
      return done({ ...said, gone: true });
    }
    const timer = setTimeout(() => {
      said.late = true;
      end(child);
      done(said);
    }, limit);
    child.stdout.setEncoding("utf8").on("data", (part) => (said.out += part));
    child.stderr.setEncoding("utf8").on("data", (part) => (said.err += part));
    child.stdin.on("error", () => {}); // it answered without reading all of it
    child.on("error", (error) => {
      clearTimeout(timer);
      done({ ...said, gone: error.code === "ENOENT" });
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      done({ ...said, code: code ?? signal });
    });
    child.stdin.end(`${JSON.stringify(event)}\n`);
  });
}

function end(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}
