"""Calls of other languages that write files or start programs: name -> what its arguments are.

A row is read from left to right, one word an argument: `w` is written, `b` is written with what
lies below, `r` is removed, `x` is a text of shell, `v` a list of words to run (`l`: all arguments
are that list), `m` the mode of `open` (then the argument before it is the file), `-` anything else.
`.` in front: the call is a method of a path, and the first word is for that path.
"""

from __future__ import annotations

PYTHON: dict[str, str] = {
    "open": "- m",
    "io.open": "- m",
    "codecs.open": "- m",
    "os.open": "w",
    "os.remove": "r",
    "os.unlink": "r",
    "os.rmdir": "r",
    "os.removedirs": "r",
    "os.rename": "r w",
    "os.renames": "r w",
    "os.replace": "r w",
    "os.mkdir": "w",
    "os.makedirs": "w",
    "os.symlink": "- w",
    "os.link": "- w",
    "os.chmod": "w",
    "os.chown": "w",
    "os.utime": "w",
    "os.truncate": "w",
    "os.system": "x",
    "os.popen": "x",
    "shutil.copy": "- w",
    "shutil.copy2": "- w",
    "shutil.copyfile": "- w",
    "shutil.copytree": "- b",
    "shutil.move": "r w",
    "shutil.rmtree": "r",
    "subprocess.run": "v",
    "subprocess.call": "v",
    "subprocess.check_call": "v",
    "subprocess.check_output": "v",
    "subprocess.Popen": "v",
    "subprocess.getoutput": "x",
    ".write_text": "w",
    ".write_bytes": "w",
    ".touch": "w",
    ".mkdir": "w",
    ".unlink": "r",
    ".rmdir": "r",
    ".rename": "r w",
    ".symlink_to": "w",
    ".hardlink_to": "w",
    ".open": "- m",
}
NODE: dict[str, str] = {
    **dict.fromkeys(
        (
            "writeFileSync",
            "writeFile",
            "appendFileSync",
            "appendFile",
            "createWriteStream",
            "mkdirSync",
            "mkdir",
            "truncateSync",
            "chmodSync",
            "utimesSync",
            "outputFileSync",
            "writeTextFile",
            "writeTextFileSync",
        ),
        "w",
    ),
    **dict.fromkeys(("rmSync", "rm", "unlinkSync", "unlink", "rmdirSync", "rmdir"), "r"),
    "renameSync": "r w",
    "rename": "r w",
    "copyFileSync": "- w",
    "copyFile": "- w",
    "cpSync": "- b",
    "symlinkSync": "- w",
    "linkSync": "- w",
    "execSync": "x",
    "exec": "x",
    "spawnSync": "v v",
    "spawn": "v v",
    "execFileSync": "v v",
    "execFile": "v v",
}
PERL: dict[str, str] = {
    "unlink": "r",
    "rmdir": "r",
    "rmtree": "r",
    "remove_tree": "r",
    "rename": "r w",
    "copy": "- w",
    "move": "r w",
    "cp": "- w",
    "mv": "r w",
    "mkdir": "w",
    "make_path": "w",
    "mkpath": "w",
    "truncate": "w",
    "symlink": "- w",
    "link": "- w",
    "utime": "- - w",
    "chmod": "- w",
    "system": "l",
    "exec": "l",
}
RUBY: dict[str, str] = {
    "File.write": "w",
    "IO.write": "w",
    "File.binwrite": "w",
    "File.open": "- m",
    "File.new": "- m",
    "open": "- m",
    "File.delete": "r",
    "File.unlink": "r",
    "File.rename": "r w",
    "File.symlink": "- w",
    "File.link": "- w",
    "File.chmod": "- w",
    "File.truncate": "w",
    "Dir.mkdir": "w",
    "Dir.rmdir": "r",
    "FileUtils.rm": "r",
    "FileUtils.rm_f": "r",
    "FileUtils.rm_r": "r",
    "FileUtils.rm_rf": "r",
    "FileUtils.remove": "r",
    "FileUtils.cp": "- w",
    "FileUtils.copy": "- w",
    "FileUtils.cp_r": "- b",
    "FileUtils.mv": "r w",
    "FileUtils.move": "r w",
    "FileUtils.touch": "w",
    "FileUtils.mkdir": "w",
    "FileUtils.mkdir_p": "w",
    "FileUtils.ln_s": "- w",
    "FileUtils.install": "- w",
    "system": "l",
    "exec": "l",
    "spawn": "l",
}
CALLS: dict[str, dict[str, str]] = {
    "python": PYTHON,
    "node": NODE,
    "perl": PERL,
    "ruby": RUBY,
}
# Names after which a program may do what no word of it says.
HIDDEN: dict[str, frozenset[str]] = {
    "python": frozenset(
        "exec eval compile __import__ globals getattr importlib.import_module runpy.run_path "
        "runpy.run_module ctypes pickle.loads marshal.loads os.execv os.execvp os.execve os.spawnv "
        "os.chdir os.fchdir os.chroot contextlib.chdir pty.spawn asyncio.create_subprocess_exec "
        "asyncio.create_subprocess_shell".split()
    ),
    "node": frozenset(
        "eval Function vm.runInThisContext import process.binding process.chdir chdir fork".split()
    ),
    "perl": frozenset("eval do require qx syscall sysopen chdir fork".split()),
    "ruby": frozenset(
        "eval instance_eval class_eval load require_relative send fork chdir Dir.chdir".split()
    ),
}
# Modules that write nothing until they are told to by a call of the table.
MODULES = frozenset(
    """
    __future__ abc argparse array ast base64 binascii bisect builtins calendar cmath codecs
    collections colorsys configparser contextlib copy csv dataclasses datetime decimal difflib
    dis email enum errno fnmatch fractions functools gc getpass glob hashlib heapq hmac html
    http inspect io ipaddress itertools json keyword linecache locale logging math mimetypes
    numbers operator os pathlib pkgutil platform pprint queue random re reprlib secrets select
    shlex shutil signal site socket ssl stat statistics string struct subprocess sys sysconfig
    tempfile textwrap threading time timeit token tokenize tomllib traceback types typing
    unicodedata urllib uuid warnings weakref xml zlib zoneinfo yaml toml packaging numpy
    requests fs path util url events stream crypto child_process assert buffer querystring
    readline perf_hooks process zlib fs/promises
    """.split()
)
