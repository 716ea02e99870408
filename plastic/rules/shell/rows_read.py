"""Commands that write no file, whatever their words are."""

from __future__ import annotations

READS = frozenset(
    """
    : [ test true false echo cat tac nl ls dir vdir head tail wc cut tr rev fold fmt pr paste
    join comm cmp diff diff3 colordiff grep egrep fgrep rgrep zgrep bzgrep xzgrep ag ack stat
    du df lsblk lsof realpath readlink basename dirname pwd date cal sleep seq yes
    factor expr bc dc printenv uname hostname whoami id groups users who w uptime arch nproc
    free vmstat iostat top htop ps pgrep pidof kill killall pkill jobs wait fg bg disown
    suspend times ulimit umask type which whereis hash apropos whatis help tput stty
    tty clear reset locale getconf getent ldd nm readelf objdump strings size od hexdump
    base32 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum md5
    shasum jq gron column expand unexpand numfmt tsort look tokei zcat
    bzcat xzcat zless bzless lz4cat zstdcat more most bat batcat lsattr getfacl getfattr
    findmnt ping ping6 traceroute tracepath dig nslookup host netstat ss ifconfig ip arp route
    whois ssh-add ssh-agent ssh-keyscan finger last lastlog dmesg let shopt
    complete compopt caller logout dirs logger notify-send say
    cowsay figlet lolcat peco gum identify sw_vers
    pbpaste xclip xsel pbcopy wl-copy wl-paste shellcheck hadolint actionlint yamllint
    vulture envsubst timedatectl hostnamectl loginctl cpuid lscpu
    lspci lsusb lsmod glances dust duf exa eza lsd erd procs delta difft hexyl tldr cheat
    zipinfo zipgrep funzip lzcat wdiff watchman pstree fuser ipcs lslocks namei pathchk
    sync mesg wall talk
    """.split()
)
