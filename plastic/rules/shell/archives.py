"""Archives and patches: where only a look inside tells the names, the directory is answered."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY
from plastic.rules.shell.table import moved, seen_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State

_TAR_LONG = {
    "--extract": "x",
    "--get": "x",
    "--create": "c",
    "--append": "r",
    "--update": "u",
    "--catenate": "A",
    "--concatenate": "A",
    "--list": "t",
    "--diff": "d",
    "--compare": "d",
    "--delete": "r",
}


def tar(run: Run, call: Call, state: State) -> None:
    """`-x` writes below `-C`, `-c` writes the archive, `-t` reads"""
    words = call.args[1:]
    if words and words[0][:1] not in ("-", ""):
        words = ["-" + words[0], *words[1:]]  # `tar xzf a.tgz`
    seen = seen_by(
        "read -f,--file=archive -C,--directory=into -T,--files-from= -X,--exclude-from= "
        "--exclude= --transform,--xform=renames --strip-components= -b= -K= -N= "
        "-I,--use-compress-program=code "
        "-H,--format= --one-top-level?below --to-command=code --checkpoint-action=action --owner= "
        "--group= --mode= --mtime= -g,--listed-incremental=write -F,--info-script=code -V= -L=",
        call.inner(["tar", *words]),
    )
    does = next((_TAR_LONG[one] for one in seen.options if one in _TAR_LONG), "")
    does = does or next((one[1] for one in seen.options if one[1:] in tuple("xcruAtd")), "")
    actions = [one[5:] for one in seen.of("action") if one.startswith("exec=")]
    for text in [*seen.of("code"), *actions]:
        run.text(text, state, call)
    for path in seen.of("write"):
        run.write(path, state)
    if does == "x" and "-O" not in seen.options and "--to-stdout" not in seen.options:
        for path in [*(seen.of("into")[-1:] or ["."]), *seen.of("below")]:
            run.write(path, state, reach="below")
        if seen.of("renames") or "-P" in seen.options or "--absolute-names" in seen.options:
            run.unknown("the archive says where its files go", state)
    elif does in ("c", "r", "u", "A"):
        archive = seen.last("archive")
        if archive not in (None, "-") and ":" not in (archive or "").partition("/")[0]:
            run.write(archive or "", state)
        if "--remove-files" in seen.options:
            for path in seen.operands:
                run.write(path, state, op="remove")


def unzip(run: Run, call: Call, state: State) -> None:
    """writes below `-d`, unless it only lists or prints"""
    seen = seen_by("read -d=into -x= -P=", call)
    if any(option in ("-l", "-p", "-t", "-v", "-z", "-Z") for option in seen.options):
        return
    if seen.operands:
        run.write(seen.last("into") or ".", state, reach="below")


def seven(run: Run, call: Call, state: State) -> None:
    """`x` and `e` write below `-o`, `a` and `d` write the archive"""
    words = [word for word in call.args[1:] if word[:1] != "-"]
    if not words or words[0] in ("l", "t", "i", "h", "b"):
        return
    if words[0] in ("x", "e"):
        into = next((word[2:] for word in call.args if word.startswith("-o")), ".")
        run.write(into or ".", state, reach="below")
    elif len(words) > 1:
        run.write(words[1], state)


def cpio(run: Run, call: Call, state: State) -> None:
    """`-i` writes below `-D`, `-p` below its operand, `-o` writes `-O`"""
    seen = seen_by(
        "read -D,--directory=cd -F,--file=archive -I= -O=write -E= -R,--owner= -H,--format= "
        "-C= -M=",
        call,
    )
    state = moved(seen, state)
    options = seen.options
    if "-t" in options or "--list" in options or "--to-stdout" in options:
        return
    if "-i" in options or "--extract" in options:
        run.write(".", state, reach="below")
    elif "-p" in options or "--pass-through" in options:
        for path in seen.operands[-1:]:
            run.write(path, state, reach="below")
    else:
        for path in [*seen.of("write"), *seen.of("archive")]:
            run.write(path, state)


def patch(run: Run, call: Call, state: State) -> None:
    """writes its operand, `.orig` and `.rej` beside it; without one, what the patch names"""
    seen = seen_by(
        "read -i,--input= -d,--directory=cd -o,--output=write -p,--strip= -F,--fuzz= -B,--prefix= "
        "-z,--suffix= -V= -D= -r,--reject-file=reject -Y= -g=",
        call,
    )
    if "--dry-run" in seen.options or "-C" in seen.options:
        return
    state = moved(seen, state)
    for path in [*seen.of("reject"), *seen.of("write")]:
        if path != "-":
            run.write(path, state)
    if seen.of("write"):
        return
    if not seen.operands:
        run.write(".", state, reach="below")
    for path in seen.operands[:1]:
        run.write(path, state)
        run.write(path + ".orig", state)
        if not seen.of("reject"):
            run.write(path + ".rej", state)


def apply_patch(run: Run, call: Call, state: State) -> None:
    """writes, moves and removes what its patch names: its operand, else its input"""
    from plastic.applypatch import changes

    text = call.args[1] if len(call.args) > 1 else None
    if text is None and call.feed is not None:
        text = call.feed.text
    found = changes(text) if text is not None and ANY not in text else []
    for one in found:
        run.write(one.path, state, op=one.op)
    if not found:
        run.opaque("it applies a patch that cannot be read", call, state)
