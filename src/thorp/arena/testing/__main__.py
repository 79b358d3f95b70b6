"""The process that `check_hash_seeds` starts: a task on standard input, the logs on standard output."""

import sys

from thorp.arena.testing.hash_seeds import play_task

if __name__ == "__main__":
    sys.stdout.buffer.write(play_task(sys.stdin.read()))
