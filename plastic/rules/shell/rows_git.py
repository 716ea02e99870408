"""Rows of git's verbs, written as those of commands; their modes stand in `gitmodes.py`."""

from __future__ import annotations

_MERGES = "-s,--strategy= -X,--strategy-option= -S? -m,--message= -F,--file="
_SHOWS = "read --output=write -O= -S= -G= -n= -L= -U= --format= --since= --until= --author= --grep="

VERBS: dict[str, str] = {
    # the index and the refs
    "add": "index -n,--dry-run!read --chmod= --pathspec-from-file=",
    "stage": "index -n,--dry-run!read",
    "commit": (
        "index -m,--message= -F,--file= -C,--reuse-message= -c,--reedit-message= -t,--template= "
        "--author= --date= --fixup= --squash= --trailer= --cleanup= --dry-run!read"
    ),
    "tag": (
        "index-if -m,--message= -F,--file= -u,--local-user= -l,--list,-v,--verify,--contains,"
        "--merged,--no-merged,--points-at!read --sort= --format= --cleanup="
    ),
    "branch": (
        "branch -u,--set-upstream-to=git -l,--list,-a,--all,-r,--remotes,-v,--verbose,"
        "--show-current,--contains,--no-contains,--merged,--no-merged,--points-at!read --sort= "
        "--format= --unset-upstream,--edit-description!index"
    ),
    "fetch": "fetch --dry-run!read --upload-pack=code --depth= -j= -o= --refmap=",
    "push": "push -n,--dry-run!read --receive-pack=code --exec=code -o= --repo=",
    "remote": "index-if =show!read =get-url!read -v,--verbose!index-if",
    "config": (
        "config -f,--file=file --blob= --type= --default= --get,--get-all,--get-regexp,"
        "--get-urlmatch,-l,--list,--get-color,--get-colorbool!read =get!read =list!read"
    ),
    "update-ref": "update-ref -m=",
    "symbolic-ref": "index-two -m=",
    "update-index": "index -q!read",
    "pack-refs": "shared",
    "gc": "shared",
    "prune": "shared -n,--dry-run!read",
    "repack": "shared",
    "maintenance": "shared",
    "reflog": "read =expire!index =delete!index",
    "notes": "shared =list!read =show!read -m= -F= -C= -c= --ref=",
    "replace": "shared -l,--list!read",
    "hash-object": "read -w!shared -t=",
    "write-tree": "shared",
    "commit-tree": "shared -p= -m= -F=",
    "mktree": "shared",
    "mktag": "shared",
    "fast-import": "index",
    "index-pack": "shared",
    "unpack-objects": "shared -n!read",
    "rerere": "shared =status!read =diff!read",
    "commit-graph": "shared",
    "multi-pack-index": "shared",
    "prune-packed": "shared -n!read",
    "init": "init --template= --separate-git-dir=below -b,--initial-branch= --object-format=",
    # the work tree
    "checkout": "checkout -b,-B,--orphan=new --conflict= --pathspec-from-file=",
    "switch": "switch -c,-C,--create,--force-create,--orphan=new --conflict=",
    "restore": "restore -s,--source= --conflict= --pathspec-from-file=",
    "reset": "index --hard,--merge,--keep!tree",
    "stash": "tree =list!read =show!read =drop!index =clear!index =create!index =store!index",
    "clean": "clean -n,--dry-run!read -e,--exclude=",
    "rm": "rm -n,--dry-run!read --cached!index --pathspec-from-file=",
    "mv": "mv -n,--dry-run!read",
    "apply": (
        "tree --check,--stat,--numstat,--summary!read --cached!index -p= -C= --directory= "
        "--exclude= --include= --whitespace= --build-fake-ancestor=write"
    ),
    "am": "tree --show-current-patch!read --directory= --exclude= -p= -C=",
    "merge": f"tree {_MERGES} --into-name=",
    "pull": f"tree {_MERGES} --dry-run!read --upload-pack=code -j= --depth=",
    "rebase": "tree -x,--exec=code --onto= -s= -X= -C= --show-current-patch!read",
    "cherry-pick": "tree -m= -s= -X= --strategy= --cleanup=",
    "revert": "tree -m= -s= -X= --strategy=",
    "bisect": "bisect @first =log!read =view!read =visualize!read",
    "read-tree": "index -u!tree --prefix= --index-output=write",
    "checkout-index": "tree --prefix=prefix",
    "sparse-checkout": "tree =list!read",
    "submodule": "submodule @first =status!read =summary!read",
    "subtree": "tree -P,--prefix= -m=",
    "filter-branch": (
        "tree --env-filter=code --tree-filter=code --index-filter=code --msg-filter=code "
        "--commit-filter=code --tag-name-filter=code --parent-filter=code -d=below"
    ),
    "filter-repo": "tree",
    # windows and servers through which a person changes anything; helpers of credentials
    "gui": "opaque",
    "gitk": "opaque",
    "instaweb": "opaque",
    "credential": "opaque =capability!read",
    "lfs": "tree =ls-files!read =status!read =env!read",
    "mergetool": "tree -t=",
    "merge-file": "first -p,--stdout!read -L=",
    "worktree": "worktree =list!read -b,-B= --reason= -n,--dry-run!read",
    # other files
    "clone": (
        "clone -b,--branch= --depth= -o,--origin= -c,--config= -j,--jobs= --reference= --template= "
        "--separate-git-dir=below -u,--upload-pack=code --filter= --shallow-since= --bundle-uri= "
        "--server-option= --shallow-exclude="
    ),
    "archive": "read -o,--output=write --format= --prefix= --remote= --exec=code --add-file=",
    "bundle": "bundle =verify!read =list-heads!read =unbundle!index",
    "format-patch": (
        "patches -o,--output-directory=folder --stdout!read --output=write --suffix= -v= "
        "--start-number= --subject-prefix= --cover-from-description= --base= --to= --cc="
    ),
    "mailsplit": "read -o=below",
    "mailinfo": "write",
    # what only looks
    "log": _SHOWS,
    "diff": _SHOWS,
    "show": _SHOWS,
    "whatchanged": _SHOWS,
    "diff-tree": _SHOWS,
    "diff-index": _SHOWS,
    "diff-files": _SHOWS,
    "range-diff": _SHOWS,
    "stash-show": _SHOWS,
    "shortlog": "read --output=write -w?",
    "grep": "read -O?code --open-files-in-pager?code -e= -f= -A= -B= -C= -m=",
    "difftool": "read -x,--extcmd=code -t=",
    "ls-remote": "read --upload-pack=code",
    "bugreport": "read -o,--output-directory=below -s,--suffix=",
    "diagnose": "read -o,--output-directory=below -s,--suffix= --mode=",
}
LOOKS = frozenset(
    """
    annotate blame cat-file check-attr check-ignore check-mailmap check-ref-format cherry column
    count-objects describe fmt-merge-msg for-each-ref for-each-repo fsck get-tar-commit-id help
    interpret-trailers ls-files ls-tree merge-base merge-tree name-rev patch-id rev-list rev-parse
    show-branch show-index show-ref status stripspace var verify-commit verify-pack verify-tag
    version request-pull imap-send send-email
    """.split()
)
# Settings whose value is run: given with `-c`, they are code.
RUNS = frozenset(
    """
    core.editor core.pager core.sshcommand core.askpass core.fsmonitor core.gitproxy
    sequence.editor diff.external gpg.program gpg.ssh.program credential.helper
    uploadpack.packobjectshook     interactive.difffilter sendemail.sendmailcmd
    """.split()
)
# Ends of such settings that have a name in the middle (`filter.x.clean`).
RUNS_BEHIND = (
    ".cmd",
    ".clean",
    ".smudge",
    ".process",
    ".textconv",
    ".command",
    ".driver",
    ".helper",
    ".program",
)
