// The bridge of pi: its events go to hooks/gate, and what the gate says comes back in pi's own way.
import { ask } from "./door.mjs";

const HARNESS = "pi";

/** Registers every handler; `where` names {python, gate, strict}. */
export function extension(pi, where) {
  let kept = []; // context that waits for the next message
  const later = new Map(); // call id -> context of an allowed call, for its result

  async function send(name, ctx, more) {
    const said = await ask(where, HARNESS, event(name, ctx, more));
    tell(ctx, said.note);
    return said;
  }

  async function keep(name, ctx, more) {
    const said = await send(name, ctx, more);
    if (said.context) kept.push(said.context);
  }

  pi.on("session_start", (ev, ctx) => keep("session_start", ctx, { source: ev.reason }));
  pi.on("before_agent_start", async (_ev, ctx) => {
    await keep("before_agent_start", ctx);
    if (!kept.length) return undefined;
    const content = kept.join("\n\n");
    kept = [];
    return { message: { customType: "plastic", content, display: true } };
  });
  pi.on("tool_call", async (ev, ctx) => {
    const said = await send("tool_call", ctx, tool(ev));
    if (said.deny) return { block: true, reason: said.deny };
    if (said.context) later.set(ev.toolCallId, said.context);
    return undefined;
  });
  pi.on("tool_result", async (ev, ctx) => {
    const said = await send("tool_result", ctx, { ...tool(ev), is_error: Boolean(ev.isError) });
    const texts = [later.get(ev.toolCallId), said.context, said.deny].filter(Boolean);
    later.delete(ev.toolCallId);
    if (!texts.length) return undefined;
    const added = texts.map((text) => ({ type: "text", text }));
    const result = { content: [...ev.content, ...added] };
    if (ev.structuredContent !== undefined) result.structuredContent = ev.structuredContent;
    return result;
  });
  pi.on("user_bash", async (ev, ctx) => {
    const input = { tool_name: "bash", tool_input: { command: ev.command } };
    const said = await send("user_bash", ctx, input);
    if (!said.deny) return undefined;
    return { result: { output: said.deny, exitCode: 1, cancelled: false, truncated: false } };
  });
  pi.on("session_before_compact", async (_ev, ctx) => void (await send("session_before_compact", ctx)));
  pi.on("agent_end", (_ev, ctx) => keep("agent_end", ctx));
  pi.on("session_shutdown", async (ev, ctx) => void (await send("session_shutdown", ctx, { source: ev.reason })));
}

function event(name, ctx, more) {
  return {
    harness: HARNESS,
    hook_event_name: name,
    session_id: ctx.sessionManager?.getSessionId?.() ?? "",
    cwd: ctx.cwd,
    ...more,
  };
}

function tool(ev) {
  return { tool_name: ev.toolName, tool_input: ev.input, tool_use_id: ev.toolCallId };
}

function tell(ctx, note) {
  if (!note) return;
  if (ctx.hasUI) ctx.ui.notify(note, "warning");
  else process.stderr.write(`${note}\n`);
}
