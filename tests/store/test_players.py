"""Players, their sessions and tokens, and registered bots."""

from __future__ import annotations

import asyncio

import pytest

from tests.store.tables_set import open_table
from turntile.store import NameTaken, Store, StoreError, name_key
from turntile.store.rows import SeatRow

pytestmark = pytest.mark.anyio


def test_names_that_read_the_same_have_the_same_key() -> None:
    assert name_key("Ann") == name_key("ANN") == name_key(" ann ") == name_key("\uff21nn")
    assert name_key("Straße") == name_key("STRASSE")
    assert name_key("two  words") == name_key("Two Words") != name_key("twowords")


async def test_a_player_is_found_by_id_and_by_any_spelling_of_the_name(store: Store) -> None:
    ann = await store.players.create("Ann Ä", "person", 5.0, password_hash="argon", about="hello")

    assert (ann.name, ann.kind, ann.password_hash, ann.about, ann.disabled) == (
        "Ann Ä",
        "person",
        "argon",
        "hello",
        False,
    )
    assert await store.players.get(ann.id) == ann == await store.players.by_name("ANN ä")
    assert await store.players.many([ann.id, 999]) == {ann.id: ann}
    assert await store.players.many([]) == {}
    assert await store.players.by_name("nobody") is None


async def test_a_name_is_taken_once_also_by_those_who_ask_at_the_same_moment(store: Store) -> None:
    verdicts = await asyncio.gather(
        *(store.players.create(name, "person", 1.0) for name in ("Bob", "BOB", "bob", "Eve")), return_exceptions=True
    )

    assert sorted(type(verdict).__name__ for verdict in verdicts) == [
        "NameTaken",
        "NameTaken",
        "PlayerRow",
        "PlayerRow",
    ]
    with pytest.raises(NameTaken, match="the name 'bOb' is taken: choose another"):
        await store.players.create("bOb", "guest", 1.0)


async def test_a_guest_becomes_a_person_and_stays_the_same_player(store: Store) -> None:
    guest = await store.players.create("Guest 4F7K", "guest", 1.0)
    await store.players.create("Bob", "person", 1.0)
    with pytest.raises(NameTaken):
        await store.players.become_person(guest.id, "bob", "argon")
    ann = await store.players.become_person(guest.id, "Ann", "argon")
    assert ann is not None
    assert await store.players.become_person(guest.id, "Eve", "argon") is None, "he is no guest any more"

    assert (ann.id, ann.name, ann.kind, ann.password_hash) == (guest.id, "Ann", "person", "argon")
    assert await store.players.by_name("Guest 4F7K") is None


async def test_what_is_not_named_in_a_change_stays(store: Store) -> None:
    ann = await store.players.create("Ann", "person", 1.0, about="old")
    changed = await store.players.change(ann.id, about="")
    assert (changed.about, changed.disabled) == ("", False)
    await store.players.change(ann.id, password_hash="new")
    changed = await store.players.set_disabled(ann.id, True)
    assert (changed.about, changed.disabled, changed.password_hash) == ("", True, "new")
    assert await store.players.change(ann.id) == changed


async def test_a_built_in_bot_is_made_once(store: Store) -> None:
    made = await asyncio.gather(*(store.players.builtin("Tron hard", 1.0) for _ in range(5)))
    assert {bot.id for bot in made} == {made[0].id}
    assert (made[0].kind, made[0].owner_id) == ("bot", None)
    await store.players.create("Tron easy", "person", 1.0)
    with pytest.raises(NameTaken, match="'Tron easy' is somebody's name already"):
        await store.players.builtin("Tron easy", 1.0)


async def test_guests_who_never_sat_down_are_forgotten(store: Store) -> None:
    idle, playing, opening, young = [
        await store.players.create(f"Guest {n}", "guest", 500.0 if n == 3 else 1.0) for n in range(4)
    ]
    person = await store.players.create("Ann", "person", 1.0)
    await open_table(store, seats=(SeatRow(0, playing.id, "Guest 1", "human"), SeatRow(1)))
    await open_table(store, created_by=opening.id)

    assert await store.players.forget_guests(created_before=100.0) == 1
    there = await store.players.many([idle.id, playing.id, opening.id, young.id, person.id])
    assert sorted(there) == sorted([playing.id, opening.id, young.id, person.id])


@pytest.mark.parametrize("name", ["lone \ud800", "with\0zero"])
async def test_a_text_that_no_database_takes_disturbs_nobody(store: Store, name: str) -> None:
    """SQLite takes a zero character, PostgreSQL does not; neither takes half a character."""
    verdicts = await asyncio.gather(
        store.players.create(name, "person", 1.0), store.players.create("Ann", "person", 1.0), return_exceptions=True
    )
    if isinstance(verdicts[0], Exception):
        assert isinstance(verdicts[0], StoreError)
        assert "cannot be stored" in str(verdicts[0])
    else:
        assert "\0" in name
    assert not isinstance(verdicts[1], BaseException)


async def test_a_session_is_found_until_it_expires_or_its_player_is_disabled(store: Store) -> None:
    ann = await store.players.create("Ann", "person", 1.0)
    session = await store.sessions.create("hash", ann.id, created=10.0, expires=20.0)

    assert await store.sessions.find("hash", now=19.9) == (session, ann)
    assert await store.sessions.find("hash", now=20.0) is None
    assert await store.sessions.find("another", now=11.0) is None
    await store.sessions.extend("hash", expires=30.0)
    found = await store.sessions.find("hash", now=25.0)
    assert found is not None and found[0].expires == 30.0
    await store.players.set_disabled(ann.id, True)
    assert await store.sessions.find("hash", now=25.0) is None


async def test_sessions_end_one_by_one_all_but_one_or_by_themselves(store: Store) -> None:
    ann = await store.players.create("Ann", "person", 1.0)
    for number in range(4):
        await store.sessions.create(f"hash {number}", ann.id, created=0.0, expires=10.0 + number)

    async def there() -> list[int]:
        return [number for number in range(4) if await store.sessions.find(f"hash {number}", now=5.0)]

    await store.sessions.delete("hash 1")
    assert await there() == [0, 2, 3]
    assert await store.sessions.forget_expired(now=10.0) == 1
    assert await there() == [2, 3]
    await store.sessions.delete_all(ann.id, but="hash 3")
    assert await there() == [3]
    await store.sessions.delete_all(ann.id)
    assert await there() == []


async def test_a_token_is_found_until_it_is_revoked_by_whose_it_is(store: Store) -> None:
    ann = await store.players.create("Ann", "person", 1.0)
    bob = await store.players.create("Bob", "person", 1.0)
    token = await store.tokens.create(ann.id, "laptop", "hash", "play challenge", created=10.0)
    later = await store.tokens.create(ann.id, "desk", "hash 2", "publish", created=11.0)

    assert await store.tokens.find("hash") == (token, ann)
    assert await store.tokens.of_player(ann.id) == [later, token]
    assert await store.tokens.of_player(bob.id) == []
    await store.tokens.used(token.id, at=12.0)
    found = await store.tokens.find("hash")
    assert found is not None and found[0].last_used == 12.0
    assert not await store.tokens.revoke(token.id, bob.id, at=13.0)
    assert await store.tokens.revoke(token.id, ann.id, at=13.0)
    assert not await store.tokens.revoke(token.id, ann.id, at=14.0)
    assert await store.tokens.find("hash") is None
    assert await store.tokens.of_player(ann.id) == [later]
    await store.players.set_disabled(ann.id, True)
    assert await store.tokens.find("hash 2") is None


async def test_a_bot_is_a_player_with_a_place(store: Store) -> None:
    ann = await store.players.create("Ann", "person", 1.0)
    player, bot = await store.bots.create("Annbot", ann.id, "tron", "webhook", 2.0, address="http://bot", about="mine")

    assert (player.kind, player.owner_id, player.about) == ("bot", ann.id, "mine")
    assert (bot.player_id, bot.kind, bot.address, bot.version, bot.enabled) == (
        player.id,
        "webhook",
        "http://bot",
        1,
        True,
    )
    assert await store.bots.get(player.id) == bot
    assert await store.bots.by_name("annBOT") == (player, bot)
    assert await store.bots.of_owner(ann.id) == [(player, bot)]
    assert await store.bots.get(ann.id) is None
    assert await store.bots.by_name("Ann") is None
    with pytest.raises(NameTaken):
        await store.bots.create("ann", ann.id, "tron", "remote", 2.0)
    assert len(await store.bots.of_owner(ann.id)) == 1


async def test_each_upload_is_a_new_version(store: Store) -> None:
    ann = await store.players.create("Ann", "person", 1.0)
    player, bot = await store.bots.create("Up", ann.id, "", "upload", 2.0, file_name="up.py", code=b"first")
    assert await store.bots.code(player.id) == b"first"
    assert await store.bots.upload(player.id, "up2.py", b"second\0\xff") == 2

    assert await store.bots.code(player.id) == b"second\0\xff"
    changed = await store.bots.get(player.id)
    assert changed is not None and (changed.version, changed.file_name) == (2, "up2.py")
    assert bot.version == 1


async def test_bots_to_be_invited_are_enabled_and_of_this_game_or_any(store: Store) -> None:
    ann = await store.players.create("Ann", "person", 1.0)
    rows = [
        await store.bots.create(name, ann.id, game, "remote", 2.0)
        for name, game in (("B any", ""), ("A tron", "tron"), ("worms", "worms"), ("off", "tron"), ("gone", "tron"))
    ]
    await store.bots.change(rows[3][0].id, enabled=False)
    await store.players.set_disabled(rows[4][0].id, True)

    assert [player.name for player, _ in await store.bots.for_game("tron")] == ["A tron", "B any"]
    await store.bots.change(rows[2][0].id, game="tron", address="elsewhere")
    assert len(await store.bots.for_game("tron")) == 3


async def test_a_deleted_bot_leaves_its_name_on_what_it_played(store: Store) -> None:
    ann = await store.players.create("Ann", "person", 1.0)
    player, _ = await store.bots.create("Annbot", ann.id, "tron", "remote", 2.0)
    await store.tokens.create(player.id, "its own", "hash", "play", 3.0)
    match_id = await open_table(store, seats=(SeatRow(0, player.id, "Annbot", "bot"), SeatRow(1)))
    await store.bots.delete(player.id, at=4.0)

    assert await store.bots.by_name("Annbot") is None
    assert await store.tokens.find("hash") is None
    kept = await store.players.by_name("Annbot")
    assert kept is not None and kept.disabled
    match = await store.matches.get(match_id)
    assert match is not None and match.seats[0].player_id == player.id
