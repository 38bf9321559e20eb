"""Forbid system calls that lead out of a sandbox or to memory that is not counted.

The filter allows what libseccomp knows, less what is named here. All else is answered as by a
kernel that does not have it, so libraries take the way they take on older ones.
"""

import errno
import os
from typing import Any

FORBIDDEN = """
memfd_create memfd_secret shmget shmat shmctl shmdt semget semop semtimedop semtimedop_time64 semctl
msgget msgsnd msgrcv msgctl mq_open mq_unlink mq_notify mq_getsetattr mq_timedsend mq_timedreceive
mq_timedsend_time64 mq_timedreceive_time64 ipc vmsplice remap_file_pages userfaultfd socket
socketpair socketcall inotify_init inotify_init1 fanotify_init fanotify_mark io_uring_setup
io_uring_enter io_uring_register io_setup io_submit io_cancel io_destroy add_key request_key keyctl
bpf perf_event_open ptrace kcmp pidfd_getfd process_vm_readv process_vm_writev process_madvise
process_mrelease mount umount umount2 mount_setattr move_mount open_tree pivot_root chroot unshare
setns clone3 fsopen fsconfig fsmount fspick name_to_handle_at open_by_handle_at quotactl quotactl_fd
lookup_dcookie kexec_load kexec_file_load init_module finit_module delete_module create_module
reboot syslog swapon swapoff acct nfsservctl uselib _sysctl vhangup iopl ioperm modify_ldt vm86
vm86old settimeofday stime clock_settime clock_settime64 clock_adjtime clock_adjtime64 adjtimex
sethostname setdomainname sched_setaffinity mbind migrate_pages move_pages set_mempolicy
set_mempolicy_home_node
"""
CLONE_NEW = 0x7E020080  # a namespace of any kind
MAP_SHARED, MAP_ANONYMOUS = 0x1, 0x20
F_SETPIPE_SZ = 1031


def unavailable() -> str | None:
    """Why no filter can be made here, in a sentence, or None."""
    try:
        os.close(program())
    except (ImportError, RuntimeError, OSError) as error:
        return (
            f"Nothing was graded: the library libseccomp can't be used here ({error}), and without "
            "it a submission could take all memory; on Debian, apt install libseccomp2."
        )
    return None


def program() -> int:
    """A new file descriptor that holds the filter, as bubblewrap's `--seccomp` reads it."""
    import pyseccomp as seccomp  # which fails where the library is missing

    rules = seccomp.SyscallFilter(seccomp.ERRNO(errno.ENOSYS))
    rules.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.KILL_PROCESS)
    rules.set_attr(seccomp.Attr.CTL_OPTIMIZE, 2)  # a tree instead of a list
    for number in range(1024):
        try:
            name = seccomp.resolve_syscall(seccomp.Arch.NATIVE, number).decode()
        except ValueError:
            continue
        for arguments in _allowed(name, seccomp):
            rules.add_rule(seccomp.ALLOW, number, *arguments)
    descriptor = os.memfd_create("seccomp")
    with os.fdopen(os.dup(descriptor), "wb") as file:
        rules.export_bpf(file)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _allowed(name: str, seccomp: Any) -> list[list[Any]]:
    """What the arguments of a call must be: any of these lists of conditions, all of a list."""

    def masked(argument: int, mask: int, value: int) -> list[Any]:
        return [seccomp.Arg(argument, seccomp.MASKED_EQ, mask, value)]

    if name in FORBIDDEN.split():
        return []
    if name == "clone":
        return [masked(0, CLONE_NEW, 0)]
    if name in ("mmap", "mmap2"):  # not both: such memory can outlive what shows that it is there
        both = MAP_SHARED | MAP_ANONYMOUS
        return [masked(3, both, value) for value in (0, MAP_SHARED, MAP_ANONYMOUS)]
    if name in ("fcntl", "fcntl64"):
        return [[seccomp.Arg(1, seccomp.LT, F_SETPIPE_SZ)]]
    return [[]]
