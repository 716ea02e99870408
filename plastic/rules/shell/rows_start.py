"""Rows of the command table: commands that start another command (see row.py)."""

from __future__ import annotations

STARTS: dict[str, str] = {
    "env": "start @first -C,--chdir=cd -S,--split-string=code -u,--unset= -a,--argv0=",
    "sudo": (
        "start @first -u,--user= -g,--group= -C= -D,--chdir=cd -h= -p= -R= -T= -r= -t= "
        "-U= -v,-l!read"
    ),
    "doas": "start @first -u= -C=",
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
}
