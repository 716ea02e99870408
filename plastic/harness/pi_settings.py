"""Our extension file in pi's extension folder."""

from __future__ import annotations

from plastic.harness.pluginfile import Plugin

PLUGIN = Plugin(
    "pi",
    "pi",
    """
export default async function (pi) {
  const found = await bridge();
  if (found) return found.extension(pi, where);
  if (!where.strict) return;
  const reason = "plastic: the gates are missing and this installation is strict";
  pi.on("tool_call", async () => ({ block: true, reason }));
}
""",
)
STRICT = "a gate that fails, is late or is missing stops the tool (the extension blocks)"
command, state, installed, removed = (
    PLUGIN.command,
    PLUGIN.state,
    PLUGIN.installed,
    PLUGIN.removed,
)
