"""Environment of our processes: neither the database's address nor the server's keys."""

import subprocess

import pytest

from bridgebuddy.deals.double_dummy import SolverProcess
from bridgebuddy.printing.rendering.print_process import _PrintProcess

#: each process of ours that reads what others have written, and how it is ended
PROCESSES = [(SolverProcess, SolverProcess._kill_process), (_PrintProcess, _PrintProcess.end)]


@pytest.mark.parametrize(("start", "end"), PROCESSES)
def test_a_process_knows_where_programs_are_and_no_secret(monkeypatch, start, end):
    monkeypatch.setenv("SECRET_KEY", "of the server")
    monkeypatch.setenv("DATABASE_URL", "postgres://bridgebuddy:secret@db/bridgebuddy")
    popen, given = subprocess.Popen, []

    def note_environment(command, *, env, **how):
        given.append(env)
        return popen(command, env=env, **how)

    monkeypatch.setattr(subprocess, "Popen", note_environment)

    end(start())

    [environment] = given
    assert "PATH" in environment
    assert not {"SECRET_KEY", "DATABASE_URL"} & environment.keys()
