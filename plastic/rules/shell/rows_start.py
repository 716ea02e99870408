"""Rows of the command table: commands that start another command (see row.py)."""

from __future__ import annotations

STARTS: dict[str, str] = {
    "nohup": "start @first",
    "timeout": "start-second @first -k,--kill-after= -s,--signal=",
    "gtimeout": "start-second @first -k,--kill-after= -s,--signal=",
    "time": "start @first -o,--output=write -f,--format=",
    "gtime": "start @first -o,--output=write -f,--format=",
    "nice": "start @first -n,--adjustment=",
    "ionice": "start @first -c,--class= -n,--classdata= -p= -P= -u=",
    "chrt": "start-second @first",
    "taskset": "start-second @first",
    "numactl": "start @first -m= -N= -C= -i= -p=",
    "stdbuf": "start @first -i,--input= -o,--output= -e,--error=",
    "unbuffer": "start @first",
    "setsid": "start @first",
    "setarch": "start-second @first",
    "catchsegv": "start @first",
    "caffeinate": "start @first -t= -w=",
    "chroot": "start-second @first --userspec= --groups=",
    "unshare": "start @first -S= -G= -R,--root= -w,--wd=cd --map-user= --map-group= --propagation=",
    "nsenter": "start @first -t,--target= -S= -G=",
    "setpriv": "start @first --reuid= --regid= --groups=",
    "strace": "start @first -o,--output=write -e= -p= -s= -E= -u= -P= -a= -b= -I= -O= -S= -X=",
    "ltrace": "start @first -o,--output=write -e= -p= -s= -u= -l= -x=",
    "valgrind": "start @first",
    "busybox": "start @first",
    "toybox": "start @first",
    "faketime": "start-second @first -f=",
    "dbus-run-session": "start @first",
    "xvfb-run": "start @first -s= -n= -e= -f=",
    "firejail": "start @first",
    "su": "read -c,--command=code -s,--shell= -g= -G=",
    "runuser": "read -c,--command=code -u= -s= -g=",
    "sg": "read -c=code",
    "watch": "text @first -n,--interval= -q=",
    "systemd-run": "start @first -p,--property= -u,--unit= -E,--setenv= --working-directory=cd "
    "--slice= --description= --uid= --gid= --nice= -M,--machine=",
    "npx": "start @first -p,--package= -c,--call=code -w,--workspace= --prefix=cd",
    "bunx": "start @first -p,--package=",
    "pnpx": "start @first --package= -c=code",
    "uvx": "start @first --from= --with= -p,--python= --directory=cd --env-file= --index-url=",
    "nix-shell": "opaque --run=code --command=code",
}
# Verbs that start another command: `PROGRAM VERB`; the program's own options stand in its own row.
_UV = (
    "start @first --with= --with-editable= --with-requirements= -p,--python= --extra= --group= "
    "--no-group= --only-group= --package= --env-file= --directory=cd --project= --index-url= "
    "-m,--module=loads -s,--script=loads"
)
BEHIND: dict[str, str] = {
    "uv run": _UV,
    "uv tool": "start-second @first --from= --with= -p,--python=",
    "poetry run": "start @first",
    "pipenv run": "start @first",
    "pipx run": "start @first --spec= --python= --index-url= --pip-args= --path=loads",
    "conda run": "start @first -n,--name= -p,--prefix= --cwd=cd",
    "npm exec": "start @first -p,--package= -c,--call=code -w,--workspace=",
    "npm x": "start @first -p,--package= -c,--call=code -w,--workspace=",
    "pnpm exec": "start @first -c,--shell-mode!text",
    "pnpm dlx": "start @first --package= -c,--shell-mode!text",
    "yarn exec": "start @first",
    "yarn dlx": "start @first -p,--package=",
    "bun x": "start @first -p,--package=",
    "bundle exec": "start @first --gemfile=",
    "rbenv exec": "start @first",
    "pyenv exec": "start @first",
    "asdf exec": "start @first",
    "nvm exec": "start-second @first",
    "rustup run": "start-second @first",
    "opam exec": "start @first --switch=",
    "direnv exec": "start-second @first",
    "mise exec": "start-behind @first -c,--command=code -C,--cd=cd -j=",
    "mise x": "start-behind @first -c,--command=code -C,--cd=cd -j=",
}
