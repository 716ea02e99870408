"""Downloaders: the file is named by an option, or by the last name of the address."""

from __future__ import annotations

from plastic.rules.shell.marks import ONE, STAR
from plastic.rules.shell.table import roles, seen_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State


def _name(address: str) -> str:
    # An unquoted `?` is a glob to the shell, and where nothing matches it stands for itself.
    path = address.replace(ONE, "?").partition("?")[0].partition("#")[0]
    if "://" in path:
        path = path.partition("://")[2].partition("/")[2]
    return path.rstrip("/").rpartition("/")[2]


def curl(run: Run, call: Call, state: State) -> None:
    """`-o` names the file, `-O` takes the name of the address; cookies, headers, traces"""
    seen = seen_by(
        "read -o,--output=file --output-dir=folder -c,--cookie-jar=write -D,--dump-header=write "
        "--trace,--trace-ascii=write --stderr=write --hsts=write --alt-svc=write --etag-save=write "
        "--libcurl=write -K,--config=loads -H,--header= -d,--data= --data-raw= --data-binary= "
        "--data-urlencode= --json= -X,--request= -u,--user= -A,--user-agent= -e,--referer= "
        "-F,--form= "
        "-b,--cookie= -x,--proxy= -m,--max-time= --connect-timeout= -w,--write-out= "
        "-T,--upload-file= "
        "--url=url -r,--range= -E,--cert= --key= --cacert= --retry= --retry-delay= -U= -C= -y= -Y= "
        "-z= -Q= -t= --resolve= --limit-rate= --interface= -P= --unix-socket=",
        call,
    )
    roles(run, call, state, seen)
    folder = seen.last("folder")
    before = f"{folder.rstrip('/')}/" if folder else ""
    for path in seen.of("file"):
        if path != "-":
            run.write(before + path.replace("#1", STAR), state)
    every = "--remote-name-all" in seen.options
    if every or "-O" in seen.options or "--remote-name" in seen.options:
        for address in [*seen.operands, *seen.of("url")]:
            run.write(before + (STAR if "-J" in seen.options else _name(address) or STAR), state)


def wget(run: Run, call: Call, state: State) -> None:
    """`-O` names the file; else it lies below `-P`, under the name of the address"""
    seen = seen_by(
        "read -O,--output-document=file -o,--output-file=write -a,--append-output=write "
        "-P,--directory-prefix=folder -e,--execute= -i,--input-file= -t,--tries= -T,--timeout= "
        "-w,--wait= -Q,--quota= -U,--user-agent= --header= --post-data= --post-file= --user= "
        "--password= -l,--level= -A,--accept= -R,--reject= -D,--domains= -I= -X= -B= "
        "--save-cookies=write --load-cookies= --warc-file=prefix --rejected-log=write --method= "
        "--body-data= --limit-rate= --referer=",
        call,
    )
    roles(run, call, state, seen)
    if "--spider" in seen.options:
        return
    target = seen.last("file")
    folder = seen.last("folder") or "."
    if target is not None:
        if target != "-":
            run.write(target, state)
    elif "-r" in seen.options or "-m" in seen.options or not seen.operands:
        run.write(folder, state, reach="below")
    else:
        for address in seen.operands:
            run.write(f"{folder}/{_name(address) or 'index.html'}", state)


def aria(run: Run, call: Call, state: State) -> None:
    """writes below `-d`, `-o` names the file"""
    seen = seen_by("read -d,--dir=folder -o,--out=file -i= -x= -s= -j= -l,--log=write", call)
    roles(run, call, state, seen)
    folder = seen.last("folder") or "."
    target = seen.last("file")
    if target:
        run.write(target if target[:1] == "/" else f"{folder}/{target}", state)
    else:
        run.write(folder, state, reach="below")
