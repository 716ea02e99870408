"""Which variables no git child may inherit: those of a hook, and those that change its answers."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# `git rev-parse --local-env-vars`: set by git for its hooks, and wrong for any other repository.
LOCAL_VARIABLES = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_OBJECT_DIRECTORY",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_REPLACE_REF_BASE",
    "GIT_PREFIX",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_COMMON_DIR",
)
# These change what git sees or says; GIT_TRACE* likewise, by prefix.
MORE_VARIABLES = ("GIT_CEILING_DIRECTORIES", "GIT_EXTERNAL_DIFF")


def dropped(env: Mapping[str, str]) -> list[str]:
    """The variables of an environment that no git child may inherit."""
    known = {*LOCAL_VARIABLES, *MORE_VARIABLES}
    return sorted(name for name in env if name in known or name.startswith("GIT_TRACE"))


def clean_environment(env: Mapping[str, str]) -> dict[str, str]:
    """An environment for other programs that may start git themselves (`setup:`, `verify:`)."""
    drop = dropped(env)
    return {name: value for name, value in env.items() if name not in drop}
