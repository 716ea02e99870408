"""Our plugin file in OpenCode's plugin folder."""

from __future__ import annotations

from plastic.harness.pluginfile import Plugin

PLUGIN = Plugin(
    "opencode",
    "OpenCode",
    """
export const Plastic = async (input) => {
  const found = await bridge();
  if (found) return found.plugin(input, where);
  if (!where.strict) return {};
  return {
    "tool.execute.before": async () => {
      throw new Error("plastic: the gates are missing and this installation is strict");
    },
  };
};
""",
)
STRICT = "a gate that fails, is late or is missing stops the tool (the plugin throws)"
command, state, installed, removed = (
    PLUGIN.command,
    PLUGIN.state,
    PLUGIN.installed,
    PLUGIN.removed,
)
