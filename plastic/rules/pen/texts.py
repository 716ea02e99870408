"""What the pen says, in English and in French: one catalogue, complete in both."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plastic.rules.pen.block import Fault

LANGUAGES = ("en", "fr")

# Refusals, by the codes of the table and its guards.
REFUSALS: dict[str, tuple[str, str]] = {
    "held": ("{holder} holds the pen", "{holder} tient la plume"),
    "stale": (
        "{holder} holds the pen, but its window ended at {expires}",
        "{holder} tient la plume, mais sa fenêtre a fini à {expires}",
    ),
    "live": (
        "{holder} holds the pen until {expires}: only an expired one can be taken by force",
        "{holder} tient la plume jusqu'à {expires} : seule une plume expirée se prend de force",
    ),
    "alive": (
        "the window of {holder} ended at {expires}, but it was seen at work at {beat}",
        "la fenêtre de {holder} a fini à {expires}, mais son travail a été vu à {beat}",
    ),
    "awaited": ("it is the turn of {holder}", "c'est le tour de {holder}"),
    "paused": ("the session is paused: {note}", "la session est en pause : {note}"),
    "done": ("the session is done: {note}", "la session est terminée : {note}"),
    "no-window": (
        "{me} has no open window that could be refreshed",
        "{me} n'a pas de fenêtre ouverte à prolonger",
    ),
    "unclaimed": (
        "{me} has not claimed the pen (state {state})",
        "{me} n'a pas pris la plume (état {state})",
    ),
    "not-paused": (
        "the session is not paused (state {state})",
        "la session n'est pas en pause (état {state})",
    ),
    "working": (
        "{holder} is at work: a cooldown begins between two turns",
        "{holder} travaille : une trêve commence entre deux tours",
    ),
    "not-awaited": (
        "{name} is not awaited (state {state})",
        "{name} n'est pas attendu (état {state})",
    ),
    "mine": ("{me} has the turn already", "{me} a déjà le tour"),
    "free": (
        "the pen is free: there is nobody to ask",
        "la plume est libre : personne à qui la demander",
    ),
    "no-agent": (
        "{name!r} is not on the roster: {agents}",
        "{name!r} n'est pas inscrit : {agents}",
    ),
    "self": (
        "{name} cannot hand over to itself",
        "{name} ne peut pas se passer le tour à lui-même",
    ),
    "displaced": (
        "another instance has the pen of {holder}: {given} was presented, {current} is current",
        "une autre instance a la plume de {holder} : {given} présenté, {current} en cours",
    ),
    "other-instance": (
        "another session took the pen as {holder} ({current})",
        "une autre session a pris la plume comme {holder} ({current})",
    ),
    "integrating": (
        "a merge is under way ({merge}): nothing moves the pen before it ends",
        "une fusion est en cours ({merge}) : rien ne déplace la plume avant sa fin",
    ),
    "no-recipient": ("it is not said to whom (--to)", "le destinataire manque (--to)"),
    "no-reason": ("a reason is missing (--reason)", "il manque une raison (--reason)"),
    "unread": (
        "turn {turn} is addressed to {me}, which has not read it",
        "le tour {turn} est adressé à {me}, qui ne l'a pas lu",
    ),
    "open-task": ("{me} has an open task: #{task}", "{me} a une tâche ouverte : n° {task}"),
    "changed": (
        "the pen moved meanwhile (state {state})",
        "la plume a bougé entre-temps (état {state})",
    ),
    "person": (
        "{holder} holds a live pen: only a person takes it",
        "{holder} tient une plume valide : seule une personne la prend",
    ),
    "no-force": ("to steer is to force (--force)", "diriger, c'est forcer (--force)"),
    "no-moment": (
        "{given!r} is no moment such as 2026-06-22T18:00:00Z",
        "{given!r} n'est pas un moment comme 2026-06-22T18:00:00Z",
    ),
    "cooldown": ("the cooldown lasts until {until}", "la trêve dure jusqu'à {until}"),
    "cooldown-of": ("the cooldown was for {name}", "la trêve était pour {name}"),
    "no-scope": (
        "a person resumes, or --scope says what is to be done",
        "une personne reprend, ou --scope dit ce qu'il y a à faire",
    ),
    "request-missing": ("there is no such request", "cette demande n'existe pas"),
    "request-closed": ("that request was answered", "cette demande a reçu sa réponse"),
    "not-holder": (
        "{name} does not have the turn: {holder} has",
        "{name} n'a pas le tour : {holder} l'a",
    ),
    "expired": ("the window of {me} ended at {expires}", "la fenêtre de {me} a fini à {expires}"),
    "bad-name": (
        "{name!r} cannot be an agent: a-z, then a-z 0-9 _ -, and none of none, system, all, any",
        "{name!r} ne peut être un agent : a-z, puis a-z 0-9 _ -, sauf none, system, all, any",
    ),
    "bad-roster": (
        "a roster is two or more names, not {given!r}",
        "il faut deux noms ou plus, pas {given!r}",
    ),
    "bad-lang": ("{given!r} is no language of a pen", "{given!r} n'est pas une langue de plume"),
    "other-roster": (
        "this pen has another roster: {agents}",
        "cette plume a d'autres agents : {agents}",
    ),
    "no-pen": ("there is no pen in {place}", "il n'y a pas de plume dans {place}"),
    "corrupt": ("{file} is corrupt: {faults}", "{file} est corrompu : {faults}"),
    "not-utf8": (
        "{file} is not UTF-8 text (byte {at}): corrupt",
        "{file} n'est pas un texte UTF-8 (octet {at}) : corrompu",
    ),
    "not-a-file": ("{file} is not a file of ours: {why}", "{file} n'est pas un fichier : {why}"),
    "two-pens": (
        "M8SHIFT_ROOT names another pen, in {other!r}",
        "M8SHIFT_ROOT désigne une autre plume, dans {other!r}",
    ),
    "line-break": ("--{field} is one line", "--{field} tient en une ligne"),
    "marker": (
        "--{field} contains a marker of the file",
        "--{field} contient une marque du fichier",
    ),
    "control": (
        "--{field} contains a control character",
        "--{field} contient un caractère de contrôle",
    ),
    "too-long": ("--{field} is too long", "--{field} est trop long"),
    "bad-key": ("{name!r} is no key of a turn", "{name!r} n'est pas une clé de tour"),
    "taken-key": ("the key {name!r} is taken", "la clé {name!r} est prise"),
    "no-body": ("{file} cannot be read: {why}", "{file} ne peut pas être lu : {why}"),
    "no-turn": ("there is no turn {turn}", "il n'y a pas de tour {turn}"),
    "no-task": ("there is no open task #{task}", "il n'y a pas de tâche ouverte n° {task}"),
    "no-session": (
        "no session is known here: it cannot be bound",
        "aucune session n'est connue ici : rien à lier",
    ),
    "who": (
        "it is not said who acts (AGENT), and this session is not bound to an agent",
        "il n'est pas dit qui agit (AGENT), et cette session n'est liée à aucun agent",
    ),
    "other-base": (
        "{intent} is not merged into {into}: its base is {base}",
        "{intent} ne va pas dans {into} : sa base est {base}",
    ),
    "busy": (
        "another program is writing the pen ({who})",
        "un autre programme écrit la plume ({who})",
    ),
}

# What was done, and what is.
SAID: dict[str, tuple[str, str]] = {
    "init": ("pen for {agents} in {file}", "plume pour {agents} dans {file}"),
    "init-again": ("the pen is there already: {file}", "la plume existe déjà : {file}"),
    "claim": ("pen taken by {me} (until {expires})", "plume prise par {me} (jusqu'à {expires})"),
    "refresh": (
        "pen of {me} refreshed (until {expires})",
        "plume de {me} prolongée (jusqu'à {expires})",
    ),
    "force": ("{me} took over the expired pen of {old}", "{me} a repris la plume expirée de {old}"),
    "append": (
        "turn {turn} written by {me}, handed to {to}",
        "tour {turn} écrit par {me}, remis à {to}",
    ),
    "integrated": (
        "{intent} is in {into}: turn {turn}, handed to {to}",
        "{intent} est dans {into} : tour {turn}, remis à {to}",
    ),
    "integrated-again": (
        "{intent} was in {into} already, and {to} has the turn",
        "{intent} était déjà dans {into}, et {to} a le tour",
    ),
    "release": ("handed to {to}", "remis à {to}"),
    "closed": ("session done", "session terminée"),
    "pause": (
        "session paused by {me}: it waits for a new scope",
        "session mise en pause par {me} : elle attend un nouvel objectif",
    ),
    "resume": ("session resumed for {me}", "session reprise pour {me}"),
    "cooled": ("cooldown until {until} for {whom}", "trêve jusqu'à {until} pour {whom}"),
    "yield": (
        "request #{request} accepted: {to} has the turn",
        "demande n° {request} acceptée : {to} a le tour",
    ),
    "steer": (
        "request #{request} enforced: {me} has the turn",
        "demande n° {request} imposée : {me} a le tour",
    ),
    "request": ("request #{request} to {to}", "demande n° {request} à {to}"),
    "decline": ("request #{request} declined", "demande n° {request} refusée"),
    "withdraw": ("request #{request} withdrawn", "demande n° {request} retirée"),
    "roster": ("{name} joined: {agents}", "{name} a rejoint : {agents}"),
    "roster-same": ("{name} was there: {agents}", "{name} était là : {agents}"),
    "bind": ("this session acts as {me}", "cette session agit comme {me}"),
    "unbind": ("this session is bound no more", "cette session n'est plus liée"),
    "archive": (
        "{count} turns moved to {file}, {kept} kept",
        "{count} tours déplacés vers {file}, {kept} gardés",
    ),
    "archive-none": ("nothing to archive ({kept} turns)", "rien à archiver ({kept} tours)"),
    "repair": ("repaired: {what}", "réparé : {what}"),
    "would-repair": ("would repair: {what}", "serait réparé : {what}"),
    "sound": ("nothing to repair", "rien à réparer"),
    "remember": ("noted by {me}", "noté par {me}"),
    "task": ("task #{task}: {verb}", "tâche n° {task} : {verb}"),
    "no-tasks": ("no open tasks", "aucune tâche ouverte"),
    "no-handoff": ("no turn is addressed to {me} yet", "aucun tour n'est encore adressé à {me}"),
    "may-write": ("{me} may write until {expires}", "{me} peut écrire jusqu'à {expires}"),
    "may-not": ("STOP: {me} may not write ({why})", "STOP : {me} ne peut pas écrire ({why})"),
    "expired-lock": ("expired lock", "plume expirée"),
    "no-turns": ("no turns yet", "aucun tour"),
    "your-turn": ("it is the turn of {me}", "c'est le tour de {me}"),
    "free-pen": ("the pen is free", "la plume est libre"),
    "at-work": ("{me} holds the pen", "{me} tient la plume"),
    "own-expired": (
        "{me} holds the pen, its window has ended",
        "{me} tient la plume, sa fenêtre a fini",
    ),
    "not-yet": ("not yet: {holder} has the turn", "pas encore : {holder} a le tour"),
    "paused-yet": ("not yet: paused ({note})", "pas encore : en pause ({note})"),
    "stale-pen": (
        "stale: the window of {holder} has ended, --force takes it over",
        "périmé : la fenêtre de {holder} a fini, --force la reprend",
    ),
    "alive-yet": (
        "not yet: the window of {holder} has ended, but it was seen at work at {beat}",
        "pas encore : la fenêtre de {holder} a fini, mais son travail a été vu à {beat}",
    ),
    "over": ("the session is done", "la session est terminée"),
    "prolong-or-take": (
        "--refresh prolongs and --force takes over: one of them",
        "--refresh prolonge et --force reprend : l'un des deux",
    ),
    "check-only": (
        "--files and --turns go with --check",
        "--files et --turns vont avec --check",
    ),
    "join-how": (
        "roster, or roster add NAME --by AGENT",
        "roster, ou bien roster add NOM --by AGENT",
    ),
    "task-how": ("task add, done, drop or list", "task add, done, drop ou list"),
    "text-how": ("{verb}: AGENT and one text", "{verb} : AGENT et un texte"),
    "files": ("({count} files)", "({count} fichiers)"),
    "row-last": ("last", "dernier"),
    "row-request": ("request", "demande"),
    "row-task": ("task", "tâche"),
    "row-next": ("next", "ensuite"),
    "begins": ("the relay begins", "le relais commence"),
    "one-at-a-time": (
        "One agent writes at a time. `plastic pen status` says whose turn it is.",
        "Un seul agent écrit à la fois. `plastic pen status` dit à qui est le tour.",
    ),
    "closed-turn": (
        "oldest first; a closed turn is not edited",
        "du plus ancien au plus récent ; un tour clos ne se modifie pas",
    ),
    "next-step": ("next: {run}", "ensuite : {run}"),
}

# What is wrong with a file, and what a repair did about it: by their codes, names by position.
FAULTS: dict[str, tuple[str, str]] = {
    "no-block": ("no lock block", "pas de bloc"),
    "second-block": ("a second lock block", "un second bloc"),
    "new-block": ("a new block", "un nouveau bloc"),
    "block-begin": ("the beginning of the block", "le début du bloc"),
    "block-end": ("the end of the block", "la fin du bloc"),
    "line": ("a line of the block", "une ligne du bloc"),
    "twice": ("{0} twice", "{0} deux fois"),
    "missing": ("{0} missing", "{0} absent"),
    "value": ("{0}={1}", "{0}={1}"),
    "unfit": ("{0}={1} in {2}", "{0}={1} dans {2}"),
    "count": ("turn={0}, but the journal ends with {1}", "turn={0}, or le journal finit à {1}"),
    "irregular": ("it is no regular file", "ce n'est pas un fichier ordinaire"),
    "elsewhere": (
        "it links to a text that is no pen",
        "il mène à un texte qui n'est pas une plume",
    ),
    "no-end": ("no end of turn {0}", "pas de fin du tour {0}"),
    "no-beginning": ("an end of turn {0} without a beginning", "une fin du tour {0} sans début"),
    "order": ("turn {0} after turn {1}", "tour {0} après tour {1}"),
    "renumbered": ("turn {0} is turn {1}", "le tour {0} est le tour {1}"),
    "not-utf8": ("bytes that are no UTF-8", "des octets qui ne sont pas UTF-8"),
}


def listed(faults: list[Fault], lang: str) -> str:
    """Faults in words, one behind the other."""
    return ", ".join(FAULTS[code][lang == "fr"].format(*names) for code, *names in faults)


def text(code: str, lang: str, facts: dict[str, str]) -> str:
    """A sentence of the catalogue; a language that it does not have reads English."""
    both = REFUSALS.get(code) or SAID[code]
    return both[lang == "fr"].format_map(_Facts(facts))


class _Facts(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "-"
