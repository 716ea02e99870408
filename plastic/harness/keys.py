"""What the names of tools and of their arguments say: who writes, and which keys hold paths."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# A tool is known to be read-only when its name has a word of READ and none of WRITE.
READ = _words(
    "read get list search find stat view show query fetch describe tree grep glob cat head tail "
    "info inspect count diff status log check browse lookup exists ls overview symbols"
)
WRITE = _words(
    "write create update edit insert replace append delete remove move rename copy put set save "
    "patch apply add modify change make mkdir rm rmdir mv cp unlink trash upload download export "
    "overwrite touch sync restore reset checkout commit push run exec execute fix rewrite refactor "
    "store generate merge clear truncate wipe erase drop purge revert undo extract unzip"
)
REMOVE = _words("delete remove rm rmdir unlink trash")
MOVE = _words("move rename mv")
COPY = _words("copy cp duplicate")
WHOLE = _words("write create save put overwrite")
FOLDERS = _words("directory directories folder folders dir dirs mkdir rmdir")
# Keys without `_` and `-`, in lower case.
PLACES = _words(
    "path paths file files filepath filepaths filename filenames notebookpath relativepath "
    "absolutepath targetfile targetpath outputpath outputfile pathname uri fileuri fspath fullpath "
    "localpath savepath outfile"
)
SOURCES = _words("source sources src from sourcepath oldpath frompath origin")
TARGETS = _words(
    "destination dest dst target to destinationpath newpath topath output location notebook"
)
SIBLINGS = _words("newname newfilename")
# Any other key whose last word is one of these names a path too: `save_as_file`, `newFilePath`.
PATHLIKE = _words(
    "path paths file files filepath filepaths filename filenames uri folder dir directory as to"
)
# Words before it that say that the path is read, or where to run (`repo_path`, `working_dir`).
READ_FROM = _words(
    "repo repository root project workspace base working work home git config input in template "
    "schema json x key context reference ref include exclude search read start allowed log env"
)
OLD = _words("old src source from original")
# What a relative path is relative to, where the call says it.
BASES = _words(
    "projectroot root rootpath rootdir cwd workdir workingdir workingdirectory basedir basepath "
    "repopath workspace workspacepath workspaceroot directory dir folder"
)
FORGES = _words("projectid reposlug repositoryid")


def spoken(name: str) -> list[str]:
    """The words of a name in snake, kebab or camel case, in lower case."""
    spaced = []
    before = ""
    for letter in name:
        if letter.isupper() and not before.isupper():
            spaced.append(" ")
        spaced.append(letter.lower() if letter.isalnum() else " ")
        before = letter
    return "".join(spaced).split()


def flat(key: str) -> str:
    """A key without `_` and `-`, in lower case."""
    return key.replace("_", "").replace("-", "").lower()


def role_of(key: str) -> str:
    """place, source, target, sibling, base, old, or "" for a key that names no path."""
    name = flat(key)
    if name in PLACES:
        return "place"
    if name in SOURCES:
        return "source"
    if name in TARGETS:
        return "target"
    if name in SIBLINGS:
        return "sibling"
    if name in BASES:
        return "base"
    words = spoken(key)
    if len(words) < 2 or words[-1] not in PATHLIKE or READ_FROM.intersection(words[:-1]):
        return ""
    return "old" if OLD.intersection(words[:-1]) else "target"
