"""The check whether a table's page is still current after results elsewhere in its section."""

from __future__ import annotations

from hashlib import blake2b

from django.db import connection

SIZE = 8  # bytes: enough against accidental equality

#: the plays of the table, of the phone's entry, and for a phone of the table of all present entries
THEIRS = """play.section_id = %(section)s AND (
        play."table" = %(table)s OR %(who)s IN (play.ns_id, play.ns2_id, play.ew_id, play.ew2_id)
        OR %(who)s = 0 AND EXISTS (
            SELECT 1 FROM events_play AS now JOIN events_section AS section ON section.id = now.section_id
            WHERE now.section_id = %(section)s AND now."table" = %(table)s AND now.round = section.round
            AND now.taken_back_at IS NULL AND (
                play.ns_id IN (now.ns_id, now.ns2_id, now.ew_id, now.ew2_id)
                OR play.ns2_id IN (now.ns_id, now.ns2_id, now.ew_id, now.ew2_id)
                OR play.ew_id IN (now.ns_id, now.ns2_id, now.ew_id, now.ew2_id)
                OR play.ew2_id IN (now.ns_id, now.ns2_id, now.ew_id, now.ew2_id)
            )
        )
    )"""
#: every phone asks this after results at other tables; as plain SQL it takes a quarter of the time
STATE = f"""SELECT 'stands', result.id, result.number, result.source, '', CAST(result.outcome AS text)
    FROM scoring_result AS result JOIN events_play AS play ON play.id = result.play_id
    WHERE {THEIRS} AND result.stands
    UNION ALL
    SELECT 'said', claim.id, claim.number, claim.side, claim.phone, CAST(claim.outcome AS text)
    FROM tables_resultclaim AS claim JOIN events_play AS play ON play.id = claim.play_id
    WHERE {THEIRS}
    UNION ALL
    SELECT 'swapped', swapped.entry_id, 0, '', '', ''
    FROM tables_swappedseats AS swapped JOIN events_entry AS entry ON entry.id = swapped.entry_id
    WHERE entry.section_id = %(section)s
    UNION ALL
    SELECT 'call', id, round, why, CAST(taken_at AS text), CAST(board AS text)
    FROM tables_directorcall
    WHERE section_id = %(section)s AND "table" = %(table)s
    ORDER BY 1, 2
"""


def table_state_hash(section: int, table: int, contestant: int | None) -> str:
    """Return a hash of the results, calls and exchanged seats that a table's page shows, to notice changes.

    `contestant` is the phone's entry. It covers all that a table's page shows and that only `results`
    counts: results, claims, swapped chairs and calls. All else counts in `shown`. Makes one query.
    """
    with connection.cursor() as cursor:
        cursor.execute(STATE, {"section": section, "table": table, "who": contestant or 0})
        state = cursor.fetchall()
    return blake2b(repr(state).encode(), digest_size=SIZE).hexdigest()
