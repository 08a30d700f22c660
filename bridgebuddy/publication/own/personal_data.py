"""All stored data of a person as tables, and tables as files: see docs/admin/data.md."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Collection, Iterable
from dataclasses import asdict
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpResponse
from django.utils.text import slugify

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import EntryPerson, PastPlayer, Play
from bridgebuddy.publication.models import ResultsSubscription
from bridgebuddy.scoring.models import Result
from bridgebuddy.seasons.models import ManualHandicap, RatingSettings
from bridgebuddy.seasons.queries.ledger import reported_points
from bridgebuddy.seasons.queries.ratings import read_ratings

from .own_page import PersonalPageContents, SessionView

Row = dict[str, Any]
Tables = dict[str, list[Row]]

#: secrets, and columns for the program alone
LEFT_OUT = {"code", "once", "token", "next_token", "search", "sealed", "salt", "key", "former_key"}


def tables_of_person(person: Person, selected_keys: Collection[int] | None = None) -> Tables:
    """Return all stored data of a person for the export of personal data, as tables by name.

    `selected_keys` limits the sessions, for the person's own export; None: all.
    """
    inside = Q() if selected_keys is None else Q(section__session__in=selected_keys)
    elsewhere = Q() if selected_keys is None else Q(line__past__session__in=selected_keys)
    tables = {
        "person": [exported_row(person)],
        "mail_address": [
            exported_row(mail_address)
            for mail_address in ResultsSubscription.objects.filter(person=person)
        ],
        "sessions": [_entry_row(link, person) for link in _entry_rows(person).filter(inside)],
        "sessions_scored_elsewhere": [
            _past_row(place) for place in _past_rows(person).filter(elsewhere)
        ],
        "plays": [_play_row(play, person) for play in _play_rows(person).filter(inside)],
        "masterpoints": [exported_row(line) for line in reported_points(person, selected_keys)],
    }
    if selected_keys is None:
        by_hand = ManualHandicap.objects.filter(person=person)
        tables["handicap_by_hand"] = [exported_row(line) for line in by_hand]
        tables["rating"] = _rating_rows(person)
    return tables


def _rating_rows(person: Person) -> list[Row]:
    """Return the rows of the club's rating about a person, for the export of personal data."""
    rating = RatingSettings.objects.filter(club=person.club_id).first()
    has = read_ratings(rating.ratings).get(str(person.pk)) if rating else None
    return [{"until": rating.until, **asdict(has)}] if rating and has else []


def own_tables(own: PersonalPageContents) -> Tables:
    """Return the tables that a player can export from the personal page: public sessions and their results."""
    tables = tables_of_person(own.person, [open_session.session for open_session in own.open])
    return tables | {"evenings": [_session_row(evening) for evening in own.evenings]}


def _session_row(session: SessionView) -> Row:
    """Return a session as a row of the export of personal data."""
    return {
        "date": session.open.day,
        "event": session.open.name,
        "with": session.partner,
        "place": session.sums.get("place", ""),
        "of": session.ranked_count,
        "result": session.sums.get("value", ""),
        "unit": session.sums.get("unit", ""),
        "boards": session.sums["boards"],
    }


def exported_row(instance: Model) -> Row:
    """Return a database row as a dictionary for the export of personal data."""
    fields = instance._meta.concrete_fields
    return {
        field.attname: getattr(instance, field.attname)
        for field in fields
        if field.name not in LEFT_OUT
    }


def _entry_rows(person: Person) -> QuerySet[EntryPerson]:
    """Return the entries in which a person played or was replaced."""
    links = EntryPerson.objects.filter(Q(person=person) | Q(plays_for=person))
    whole = links.select_related("section__session__event", "person", "plays_for")
    return whole.prefetch_related("entry__entry_people__person").order_by(
        "section__session__date", "pk"
    )


def _entry_row(link: EntryPerson, person: Person) -> Row:
    """Return an entry as a row of the export of personal data."""
    session, others = link.section.session, link.entry.entry_people.all()
    names = [other.person.name for other in others if other.position != link.position]
    return {
        "date": session.date,
        "event": session.event.name,
        "section": link.section.name,
        "number": link.entry.contestant,
        "with": " & ".join(dict.fromkeys(names)),
        "from_round": link.from_round,
        "until_round": link.until_round,
        "played": _name_for_export(link.person, person),
        "for": _name_for_export(link.owner, person),
    }


def _past_rows(person: Person) -> QuerySet[PastPlayer]:
    """Return the rows of imported rankings that name a person."""
    places = PastPlayer.objects.filter(person=person).select_related("line__past__session__event")
    whole = places.prefetch_related("line__past_players__person")
    return whole.order_by("line__past__session__date", "pk")


def _past_row(place: PastPlayer) -> Row:
    """Return a row of an imported ranking as a row of the export of personal data."""
    line, session = place.line, place.line.past.session
    names = [player.person.name for player in line.past_players.all() if player.pk != place.pk]
    return {
        "date": session.date,
        "event": session.event.name,
        "file": line.past.file,
        "with": " & ".join(names),
        **{key: getattr(line, key) for key in ("place", "total", "percent", "masterpoints")},
    }


def _name_for_export(player: Person, person: Person) -> str:
    """Return a player's name for an export; only the name of the exporting person is never hidden."""
    return person.name if player.pk == person.pk else player.name


def _play_rows(person: Person) -> QuerySet[Play]:
    """Return the plays in which a person sat at the table."""
    there = Q(north=person) | Q(south=person) | Q(east=person) | Q(west=person)
    plays = Play.objects.filter(there, taken_back_at=None).select_related("section__session__event")
    whole = plays.prefetch_related("results")
    return whole.order_by("section__session__date", "section", "round", "table", "part", "board")


def _play_row(play: Play, person: Person) -> Row:
    """Return a play as a row of the export of personal data."""
    results: Iterable[Result] = play.results.all()
    stands = [result.outcome for result in results if result.stands]
    return {
        "date": play.section.session.date,
        "event": play.section.session.event.name,
        "section": play.section.name,
        "round": play.round,
        "table": play.table,
        "board": play.board,
        "seat": next(
            c for c in ("north", "south", "east", "west") if getattr(play, f"{c}_id") == person.pk
        ),
        "outcome": stands[0] if stands else None,
    }


def tables_as_json(file_name: str, tables: Tables) -> bytes:
    """Return exported tables as one JSON document."""
    document = {"format": f"bridgebuddy-{file_name}", "version": 1, "tables": tables}
    return json.dumps(document, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1).encode()


def tables_as_csv(tables: Tables) -> bytes:
    """Return exported tables as a ZIP archive with one CSV file each."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, rows in tables.items():
            text = io.StringIO()
            writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else [])
            writer.writeheader()
            writer.writerows(
                {column: _csv_cell(value) for column, value in row.items()} for row in rows
            )
            archive.writestr(f"{name}.csv", "\ufeff" + text.getvalue())
    return whole.getvalue()


def _csv_cell(value: object) -> object:
    """Return a value for a CSV cell, protected against evaluation as a formula."""
    if isinstance(value, dict | list):
        return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{value}"
    return value


def file_response(title: str, name: str, tables: Tables, kind: str) -> HttpResponse:
    """Return exported tables as a download that browsers do not cache."""
    if kind == "json":
        response = HttpResponse(tables_as_json(title, tables), content_type="application/json")
    elif kind == "zip":
        response = HttpResponse(tables_as_csv(tables), content_type="application/zip")
    else:
        raise Http404("no such format")
    file = f"{slugify(name) or title}.{kind}"
    response.headers["Content-Disposition"] = f'attachment; filename="{file}"'
    response.headers["Cache-Control"] = "no-store"
    return response
