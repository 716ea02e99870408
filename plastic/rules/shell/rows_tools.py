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
}
