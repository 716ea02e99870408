"""Rows of the command table: commands that make, change, move and remove files (see row.py)."""

from __future__ import annotations

_COPY = (
    "copy -t,--target-directory=into -S,--suffix= -r,-R,-a,--recursive,--archive!copy-below "
    "--sparse? --no-preserve= -Z?"
)
_PACK = "pack -c,--stdout,--to-stdout,-t,--test,-l,--list!read -S,--suffix= -b= -o=write"

FILES: dict[str, str] = {
    "cp": _COPY,
    "gcp": _COPY,
    "mv": "move -t,--target-directory=into -S,--suffix=",
    "install": (
        "copy -t,--target-directory=into -S,--suffix= -m,--mode= -o,--owner= -g,--group= "
        "--strip-program= -d,--directory!write"
    ),
    "ln": "link -t,--target-directory=into -S,--suffix=",
    "link": "name",
    "rm": "remove",
    "unlink": "remove",
    "rmdir": "remove",
    "trash": "remove",
    "trash-put": "remove",
    "srm": "remove",
    "shred": "write -n,--iterations= -s,--size= --random-source= -u?",
    "touch": "write -d,--date= -t= -r,--reference= --time=",
    "truncate": "write -s,--size= -r,--reference=",
    "fallocate": "write -l,--length= -o,--offset=",
    "mkdir": "folder -m,--mode= -Z?",
    "mkfifo": "write -m,--mode= -Z?",
    "mknod": "first -m,--mode= -Z?",
    "chmod": "modes -R,--recursive!modes-below --reference=",
    "chown": "modes -R,--recursive!modes-below --reference= --from=",
    "chgrp": "modes -R,--recursive!modes-below --reference=",
    "chattr": "modes -R!modes-below -p= -v=",
    "chflags": "modes -R!modes-below",
    "chcon": "modes -R,--recursive!modes-below -u= -r= -t= -l= --reference=",
    "setfacl": (
        "write -m,--modify= -x,--remove= -M= -X= --set= --set-file= -R,--recursive!below "
        "--test!read"
    ),
    "setfattr": "write -n,--name= -v,--value= -x,--remove= --restore=",
    "xattr": "final",
    "tee": "write",
    "sponge": "write",
    "sort": (
        "read -o,--output=write -k,--key= -t,--field-separator= -S,--buffer-size= "
        "-T,--temporary-directory= --compress-program= --files0-from= --parallel="
    ),
    "uniq": "second -f,--skip-fields= -s,--skip-chars= -w,--check-chars=",
    "shuf": "read -o,--output=write -n= -i= --random-source=",
    "sdiff": "read -o,--output=write",
    "gzip": _PACK,
    "gunzip": _PACK,
    "bzip2": _PACK,
    "bunzip2": _PACK,
    "xz": _PACK + " -T,--threads=",
    "unxz": _PACK + " -T,--threads=",
    "lzma": _PACK,
    "unlzma": _PACK,
    "zstd": _PACK + " -T= -D=",
    "unzstd": _PACK,
    "lz4": _PACK,
    "brotli": _PACK,
    "compress": _PACK,
    "uncompress": _PACK,
    "pigz": _PACK + " -p=",
    "rsync": (
        "sync -n,--dry-run,--list-only!read -e,--rsh= -f,--filter= --exclude= --include= "
        "--exclude-from= --include-from= --files-from= --log-file=write --backup-dir=below "
        "--partial-dir=below --temp-dir=below -T=below --suffix= --rsync-path= --chmod= --chown= "
        "-M= -B= --bwlimit= --timeout= --port= --password-file= --compare-dest= --copy-dest= "
        "--link-dest= --max-size= --min-size= --max-delete= --out-format= --info= --debug="
    ),
    "scp": "sync -i= -P= -F= -o=setting -l= -c= -J= -S= -D= -X=",
    "rename": "tidy",
    "prename": "tidy",
    "dos2unix": "write -n!second",
    "unix2dos": "write -n!second",
    "strip": "write -o=write -K= -N= -R= -F= -I= -O=",
    "objcopy": "final -O= -I= -j= -R= --add-section= --set-section-flags=",
    "patchelf": "write --set-rpath= --set-interpreter= --output=write --print-rpath!read",
    "zip": "first -m,--move!first-moves -x= -i= -b= -t= -n= -P= -O,--out=write -sf!read -T!read",
    "script": ("first -c,--command=code -I,-O,-B,--log-out,--log-in,--log-io,-T=write -E= -o= -m="),
    "sqldiff": "read",
    "nano": "write",
    "pico": "write",
    "micro": "write",
    "emacs": "write -f= -l=loads --load=loads --eval= -q? -nw?",
    "emacsclient": "write -e!opaque -a= -s=",
    "kak": "write -e= -f=",
    "hx": "write",
    "helix": "write",
}
