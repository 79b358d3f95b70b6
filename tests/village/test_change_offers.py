"""What a form offers of the changes of one thing, and what is read: they cannot differ."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from thorp.kernel.errors import ThorpError
from thorp.village.change_offers import OFFERS, Field, Offer
from thorp.village.changes import Change, check_change, read_change
from thorp.voxel import default_catalogs

WORLD = {"laws": ["LAW000001"], "lands": ["LAND_A1"], "people": ["Bram", "Odile"]}
KINDS = {kind.__struct_config__.tag: kind for kind in get_args(Change)}


def values(field: Field) -> list[str]:
    """Some values that a form can give a field: each option, both ends of a range."""
    if field.kind == "number":
        return [str(field.min), str(field.max)]
    if field.kind == "text":
        return ["", "x" * int(field.max)]
    listed = [option.value for option in field.options]
    if field.among:
        there = WORLD[field.among]
        listed = [name for name in listed if name in there] if listed else there
    return (["", *listed] if field.optional else listed)[:8]


def forms(offer: Offer) -> list[dict[str, str]]:
    """Every form that can be filled in, one field after the other."""
    made: list[dict[str, str]] = [{}]
    for field in offer.fields:
        made = [
            {**form, field.name: value} if is_there else form
            for form in made
            for is_there in [not field.of or form[field.of] in field.values]
            for value in (values(field) if is_there else [""])
        ]
    return made


def change_of(offer: Offer, form: dict[str, str]) -> dict[str, Any]:
    """The change that a form says, as the page makes it."""
    change: dict[str, Any] = {"change": offer.change}
    kinds = {field.name: field for field in offer.fields}
    if any(name.startswith("params.") for name in form):
        change["params"] = {}
    for name, text in form.items():
        field = kinds[name]
        number = int(float(text)) if field.whole else float(text) if field.kind == "number" else 0
        value: Any = number if field.kind == "number" else text
        owner = change["params"] if name.startswith("params.") else change
        owner[name.removeprefix("params.")] = value
    return change


def test_every_kind_of_change_and_every_field_of_it_is_offered() -> None:
    assert {offer.change for offer in OFFERS} == set(KINDS)
    for offer in OFFERS:
        offered = {field.name.partition(".")[0] for field in offer.fields}
        assert offered == set(KINDS[offer.change].__struct_fields__)
        for name, kind in KINDS[offer.change].__annotations__.items():
            if getattr(kind, "__args__", None) and name in ("weather", "goal"):
                [field] = [each for each in offer.fields if each.name == name]
                assert {option.value for option in field.options} == set(get_args(kind))


def test_every_law_and_every_parameter_of_it_is_offered() -> None:
    [offer] = [each for each in OFFERS if each.change == "pass_law"]
    for template in default_catalogs().law_templates.values():
        fields = [each for each in offer.fields if template.id in each.values]
        assert {each.name.removeprefix("params.") for each in fields} == set(template.params)


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer.change)
def test_whatever_a_form_can_say_is_read(offer: Offer) -> None:
    made = forms(offer)
    assert made
    for form in made:
        if form.get("person") and form["person"] == form.get("thing"):
            continue  # the page leaves the person itself out
        change = read_change(change_of(offer, form))
        check_change(change)


def test_what_no_form_says_is_refused() -> None:
    """So the ranges of the table are those of the reader."""
    for offer in OFFERS:
        for each in offer.fields:
            if each.kind != "number":
                continue
            [form, *_] = [form for form in forms(offer) if each.name in form]
            for beyond in (each.max + 1, each.min - 1):
                change = change_of(offer, {**form, each.name: str(beyond)})
                with pytest.raises(ThorpError):
                    check_change(read_change(change))


def test_the_table_is_plain_data() -> None:
    assert msgspec.json.decode(msgspec.json.encode(OFFERS), type=tuple[Offer, ...]) == OFFERS
