// The bridge of OpenCode: its events go to hooks/gate, and a refusal is thrown at the tool.
import { ask } from "./door.mjs";

const HARNESS = "opencode";

/** The hooks of one OpenCode instance; `where` names {python, gate, strict}. */
export function plugin(input, where) {
  const { client, directory } = input;
  const parents = new Map(); // session -> the one that started it, "" for a root
  const kept = new Map(); // session -> context that waits for its next message
  const shown = new Map(); // session -> context of this turn: the system prompt is made for each call
  const later = new Map(); // call -> context of an allowed call, for its result
  let started = false;

  /** The root of a session: a sub-agent is a session of its own below it. */
  async function root(session) {
    let here = session;
    for (let depth = 0; depth < 16; depth += 1) {
      if (!parents.has(here)) parents.set(here, await parent(here));
      if (!parents.get(here)) break;
      here = parents.get(here);
    }
    return here;
  }

  async function parent(session) {
    try {
      const found = await client.session.get({ path: { id: session } });
      return found?.data?.parentID ?? "";
    } catch {
      return "";
    }
  }

  async function send(name, session, more) {
    const top = session ? await root(session) : "";
    const agent = top === session ? {} : { agent_id: session };
    const event = { harness: HARNESS, hook_event_name: name, session_id: top, cwd: directory };
    const said = await ask(where, HARNESS, { ...event, ...agent, ...more });
    if (said.note) await tell(said.note);
    return said;
  }

  async function tell(note) {
    try {
      await client.tui.showToast({ body: { message: note, variant: "warning" } });
    } catch {
      console.error(note);
    }
  }

  async function keep(name, session, more) {
    const said = await send(name, session, more);
    const text = said.context || said.deny;
    if (text) kept.set(session, [...(kept.get(session) ?? []), text]);
  }

  async function bus(type, properties) {
    const info = properties?.info;
    const session = properties?.sessionID ?? info?.id ?? "";
    if (type === "session.created") {
      parents.set(session, info?.parentID ?? "");
      await keep(type, session, { source: started ? "new" : "startup" });
      started = true;
    } else if (type === "session.idle" && (await root(session)) === session) {
      await keep(type, session);
    } else if (type === "session.deleted") {
      await send(type, session, { source: "deleted" });
    }
  }

  return {
    event: async ({ event }) => bus(event.type, event.properties),
    "chat.message": async ({ sessionID }) => {
      await keep("chat.message", sessionID);
      shown.set(sessionID, kept.get(sessionID) ?? []);
      kept.delete(sessionID);
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      output.system.push(...(shown.get(sessionID) ?? []), ...(kept.get(sessionID) ?? []));
    },
    "experimental.session.compacting": async ({ sessionID }) =>
      void (await send("experimental.session.compacting", sessionID)),
    "shell.env": async ({ sessionID }, output) => {
      if (sessionID) output.env.PLASTIC_SESSION = await root(sessionID);
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
      const use = { tool_name: tool, tool_input: output.args, tool_use_id: callID };
      const said = await send("tool.execute.before", sessionID, use);
      if (said.deny) throw new Error(said.deny);
      if (said.context) later.set(callID, said.context);
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      const use = { tool_name: tool, tool_input: args, tool_use_id: callID };
      const said = await send("tool.execute.after", sessionID, use);
      const texts = [later.get(callID), said.context, said.deny].filter(Boolean);
      later.delete(callID);
      if (texts.length && typeof output.output === "string") output.output += `\n${texts.join("\n")}`;
    },
    dispose: async () => void (await send("dispose", "", { source: "dispose" })),
  };
}
