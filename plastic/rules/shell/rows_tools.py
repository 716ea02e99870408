"""Rows of the command table: tools that write where an option says (see row.py)."""

from __future__ import annotations

TOOLS: dict[str, str] = {
    "openssl": "read @dash -out=write -keyout=write -writerand=write",
    "ssh-keygen": "read -f=write -t= -b= -C= -N= -l!read -y!read",
    "gpg": "opaque -o,--output=write",
    "age": "read -o,--output=write -r= -R= -i=",
    "pandoc": "read -o,--output=write -f= -t= --lua-filter=loads -F,--filter=loads",
    "dot": "read -o=write -T= -K=",
    "xmllint": "read --output=write --xpath= --schema=",
    "yq": "read -i,--inplace,--in-place!rest -o=",
    "convert": "final",
    "magick": "final",
    "mogrify": "write",
    "ffmpeg": "final @dash -i= -f= -c= -b= -r= -s= -t= -ss= -to= -vf= -af= -c:v= -c:a= -map=",
    "tree": "read -o=write -L= -I= -P= -H= -T=",
    "xxd": "second @dash -c,-cols= -g,-groupsize= -l,-len= -s,-seek= -o= -n,-name= -R=",
    "compgen": "read -C=code -F=loads -W= -A= -G= -P= -S= -X= -o=",
    "history": "read -w,-a!write -d=",
    "base64": "read -o,--output=write -i= -w= -b=",
    "info": "read -o,--output=write -f= -n= -d= -k=",
    "journalctl": "read --cursor-file=write",
    "ncdu": "read -o=write -f= -X= --exclude=",
    "ssh": (
        "read @first -E=write -i= -p= -l= -o=setting -F= -L= -R= -D= -J= -W= -w= -b= -c= -e= -m= "
        "-O= -Q= -S= -B= -I="
    ),
    "pygmentize": "read -o=write -l= -f= -F= -O= -P= -S= -a=",
    "highlight": "read -o,--output=write -d,--outdir=below -O= -S= -s= -i=",
    "xmlstarlet": "read -L,--inplace!final",
    "codespell": "read -w,--write-changes!below -S,--skip= -L= -I= -D= -x= -i= -q=",
    "typos": "read -w,--write-changes!below -j= --exclude= --config=",
    "markdownlint": "read -f,--fix!below -o,--output=write -c,--config= -i= -p= -r=",
    "scc": "read -o,--output=write -f= -i= -x= -M= -s=",
    "cloc": (
        "read --out,--report-file,--report_file,--sql,--counted,--ignored,--found=write "
        "--exclude-dir= --exclude-ext= --include-ext= --include-lang= --list-file="
    ),
    "ffprobe": "read @dash -o=write -i= -of= -show_entries= -select_streams= -v= -loglevel=",
    "mediainfo": "read --LogFile=write",
    "less": "read -o,-O=write -p= -P=",
    "ruff": (
        "read --config= -o,--output-file=write --select= --ignore= =format!tidy --fix!tidy "
        "--check,--diff!read"
    ),
    "black": "below --check,--diff!read -l= -t= --config= -c!read",
    "isort": "below -c,--check,--check-only,-d,--diff!read",
    "gofmt": "read -w!below -r=",
    "goimports": "read -w!below -local=",
    "rustfmt": "write --check!read --edition= --config=",
    "shfmt": "read -w!below -i= -ln=",
    "clang-format": "read -i!write --style= --files=",
    "rg": "read --pre=loads -e= -f= -g= -t= -A= -B= -C= -m= -r=",
    "ts": "read",
    "perf": "opaque -o=write",
    "gdb": "opaque",
    "direnv": "opaque",
    "pg_dump": "read -f,--file=write -d= -h= -U= -p= -t= -n= -F=",
    "mysqldump": "read -r,--result-file=write",
    "redis-cli": "read",
    "psql": "opaque -o,--output=write -L=write",
    "rustc": "opaque -o=write --out-dir=below",
    "gh": "opaque",
    "gcc": "opaque -o=write -I= -L= -D=",
    "g++": "opaque -o=write -I= -L= -D=",
    "cc": "opaque -o=write -I= -L= -D=",
    "c++": "opaque -o=write -I= -L= -D=",
    "clang": "opaque -o=write -I= -L= -D=",
    "clang++": "opaque -o=write -I= -L= -D=",
    "ld": "opaque -o=write -I= -L= -D=",
    # A look at files, or at what the shell knows; an option each runs or writes something.
    "file": "read -C,--compile!opaque -m,--magic-file= -f,--files-from= -F,--separator= -e= -P=",
    "man": "read -H,--html!opaque -P,--pager=code -C,--config-file=loads -M= -S= -s= -L=",
    "fc": "opaque -l!read -ln!read",
    "bind": "read -x!opaque -f=loads -m= -q= -u= -r=",
    "enable": "read -f=loads",
    "fzf": "read --bind!opaque --preview!opaque --become!opaque -q,--query= -f,--filter=",
}
