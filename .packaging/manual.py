"""The manual page, made of what the program says of itself, so that it cannot fall behind."""


def manual(description, version, date, reading):
    """vestibule(1) as roff.

    `description` is what `--experimental-dump-help` prints, `date` the day of the commit, and `reading` the folder in
    which README is installed.
    """
    program = description["command"]
    commands = [each for each in program["subcommands"] if each["commandName"] != "help"]
    name = program["commandName"]
    lines = [
        f'.TH {name.upper()} 1 "{date:%Y-%m-%d}" "{name} {version}" "User Commands"',
        ".SH NAME", f"{name} \\- {escaped(program['abstract']).rstrip('.')}",
        ".SH SYNOPSIS",
    ]
    for command in commands:
        positional = "".join(f" {wanted(each)}" for each in command.get("arguments", []) if each["kind"] == "positional")
        lines += [f".B {name} {command['commandName']}", f"[\\fIoptions\\fR]{positional}", ".br"]
    lines += [".SH DESCRIPTION", *sentence(program["discussion"]), ".SH COMMANDS"]
    for command in commands:
        default = " (default)" if command["commandName"] == program["defaultSubcommand"] else ""
        lines += [f".SS {command['commandName']}{default}", *sentence(command["abstract"])]
        if "discussion" in command:
            lines += [".PP", *sentence(command["discussion"])]
        for argument in command.get("arguments", []):
            if argument["shouldDisplay"] and names(argument) not in ("\\-h, \\-\\-help", "\\-\\-version"):
                lines += [".TP", usage(argument), *sentence(argument.get("abstract", ""))]
    lines += [
        ".SH EXIT STATUS",
        ".TP", "0", "after SIGINT or SIGTERM, or if all is well",
        ".TP", "1", "if check, story or eject found an error (check also in templates and words, which a start refuses with 78), "
        "or standard output cannot be written",
        ".TP", "64", "bad usage, or a command that run cannot start",
        ".TP", "69", "a port that is taken, a database that another process holds or whose disk is full, no room for threads, or an "
        "auth API out of reach",
        ".TP", "78", "a variable, file or key that is bad, or options that do not go together",
        ".SH ENVIRONMENT",
        ".TP", "VESTIBULE_*", "the options, as said above",
        ".TP", "SSL_CERT_FILE", "a file of additional certificate authorities (PEM) to trust when the auth API is called",
        ".SH SIGNALS",
        ".TP", "SIGHUP", "serve and emulate read certificate, sealing keys, templates, messages, static files and the brand again, "
        "all or none; that of a closed terminal ends them, unless nohup started them",
        ".TP", "SIGINT, SIGTERM", "stop gracefully; a second one waits neither for proxies to hear of it nor for running requests",
        ".SH FILES",
        ".TP", f".I {reading}/README.md", "what it is for, with its reference and examples beside it",
        ".TP", ".I /etc/default/vestibule", "variables for the systemd service",
        ".TP", ".I /var/lib/vestibule", "database and sealing key of the systemd service",
    ]
    return "\n".join(lines) + "\n"


def names(argument):
    return ", ".join(escaped(("-" if each["kind"] == "short" else "--") + each["name"])
                     for each in argument.get("names", []))


def wanted(argument):
    """A positional argument as the synopsis has it: in brackets where it may be left out."""
    value = f"\\fI{escaped(argument['valueName']).upper()}\\fR" + ("..." if argument["isRepeating"] else "")
    if argument["parsingStrategy"] == "postTerminator":
        # For the parser it may be left out; the program itself asks for it.
        return f"\\-\\- {value}"
    return f"[{value}]" if argument["isOptional"] else value


def usage(argument):
    value = f"\\fI{escaped(argument['valueName']).upper()}\\fR"
    match argument["kind"]:
        case "positional":
            return value
        case "flag":
            return f"\\fB{names(argument)}\\fR"
        case _:
            return f"\\fB{names(argument)}\\fR {value}"


def sentence(text):
    """A line of text, which must not be taken for a request."""
    return [escaped(line) if line[:1] not in (".", "'") else "\\&" + escaped(line)
            for line in text.splitlines() if line]


def escaped(text):
    return text.replace("\\", "\\e").replace("-", "\\-")
