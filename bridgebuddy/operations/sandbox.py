"""A sandbox for programs that read untrusted files: little time, little memory, and no access to our data.

    python -I -S sandbox.py SECONDS MEMORY MOST_WRITTEN FOLDER PROGRAM [ARGUMENT …]

becomes PROGRAM. It can read FOLDER and the system's own files, but no database, no settings, and no memory of the
calling server. It writes only to files already open, and has no network. Linux enforces this (Landlock, from 5.13 on;
seccomp); elsewhere only the limits hold. Decision 0019.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from contextlib import suppress

#: what a program needs to begin at all, each where a system has it
SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives", "/dev/null")
EXECUTE, READ_FILE, READ_DIR = 1 << 0, 1 << 2, 1 << 3
#: how many rights to files each version of Landlock knows; what is known and not given is refused
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
TO_NET, TO_OTHERS = 0b11, 0b11  # bind and connect; abstract sockets and signals
CREATE, ADD, RESTRICT = 444, 445, 446  # the calls' numbers, the same on every machine
IS_VERSION, IS_PATH = 1, 1
NO_NEW_PRIVILEGES, SECCOMP, FILTER = 38, 22, 2
#: by machine: how the kernel calls it, and the numbers of `socket` and `socketpair`
MACHINES = {"x86_64": (0xC000003E, 41, 53), "aarch64": (0xC00000B7, 198, 199)}
EPERM = 1


def main() -> None:
    """Limit the resources and rights of this process, and then run the given program in its place."""
    seconds, memory, most, folder, *program = sys.argv[1:]
    limit_resources(seconds, memory, most)
    with suppress(OSError):  # an older kernel, or none that knows this
        confine_process(folder, program[0])
    os.execv(program[0], program)


def limit_resources(seconds: str, memory: str, file_size: str) -> None:
    """Limit the CPU seconds, the memory and the file size of this process."""
    import resource

    limits = {
        "RLIMIT_CPU": seconds,
        "RLIMIT_AS": memory,
        "RLIMIT_FSIZE": file_size,
        "RLIMIT_CORE": "0",
    }
    for name, at_most in limits.items():
        resource.setrlimit(getattr(resource, name), (int(at_most), int(at_most)))


def confine_process(*folders: str, own: str = "") -> None:
    """Give up the network, and all file access but to read `folders` and system folders and to write in `own`.

    Raises `OSError` if the system does not support it.
    """
    libc = ctypes.CDLL(None, use_errno=True)

    def call_system(*arguments: object) -> int:
        """Make a system call; raise `OSError` if it is refused."""
        result: int = libc.syscall(*arguments)
        if result < 0:
            raise OSError(ctypes.get_errno(), "refused")
        return result

    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    _close_the_network(libc)
    version = call_system(CREATE, None, 0, IS_VERSION)
    rights = (1 << RIGHTS.get(version, 16)) - 1
    asked = struct.pack("QQQ", rights, TO_NET, TO_OTHERS)
    known_rights = asked[: 8 if version < 4 else 16 if version < 6 else 24]
    rules = call_system(CREATE, known_rights, len(known_rights), 0)
    for path in (*SYSTEM, *folders, own):
        with suppress(FileNotFoundError):
            opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
            given = EXECUTE | READ_FILE | (READ_DIR if os.path.isdir(path) else 0)
            given = rights if path == own else given
            call_system(ADD, rules, IS_PATH, struct.pack("=Qi", given, opened), 0)
            os.close(opened)
    call_system(RESTRICT, rules, 0)
    os.close(rules)


def _close_the_network(libc: ctypes.CDLL) -> None:
    """Forbid sockets by a seccomp filter; system calls of another architecture are refused altogether."""
    numbers = MACHINES.get(platform.machine())
    if numbers is None:
        return
    machine, *sockets = numbers
    load, is_equal, answer = 0x20, 0x15, 0x06  # of the kernel's small language for filters
    refuse, allow = 0x00050000 | EPERM, 0x7FFF0000
    program = [
        (load, 0, 0, 4),
        (is_equal, 0, 3, machine),
        (load, 0, 0, 0),
        (is_equal, 1, 0, sockets[0]),
        (is_equal, 0, 1, sockets[1]),
        (answer, 0, 0, refuse),
        (answer, 0, 0, allow),
    ]
    written = b"".join(struct.pack("HBBI", *line) for line in program)
    buffer = ctypes.create_string_buffer(written, len(written))
    asked = struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer))
    libc.prctl(SECCOMP, FILTER, ctypes.create_string_buffer(asked, len(asked)), 0, 0)


if __name__ == "__main__":
    main()
