"""How a person with no plan plays any game: by mouse or finger, or by keys alone, from what the page shows."""

from __future__ import annotations

from random import Random

from playwright.sync_api import Error, Locator

from tests.browser.visitor import Visitor

MOST_MOVES = 400
LOOK_MS = 40

# How keys are named on the page, and by the browser.
KEYS = {"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight", "space": "Space"}


class Playing:
    """Plays the match in the visitor's window to its end."""

    def __init__(self, visitor: Visitor, seed: str, by_keyboard: bool = False) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.chance = Random(seed)
        self.by_keyboard = by_keyboard
        self.moves = 0

    def play_on(self, most: int = MOST_MOVES) -> None:
        """Until it is over, or so many things were done."""
        see = self.visitor.see
        see("status").wait_for()
        while not see("outcome").first.is_visible():
            if self.do_something():
                self.moves += 1
                if self.moves >= most:
                    return
            self.page.wait_for_timeout(LOOK_MS)

    def do_something(self) -> bool:
        """Whether there was anything to do, and it could be done."""
        try:
            return self.do_what_is_offered()
        except Error as error:  # what was there a moment ago has gone: the match went on
            if "Timeout" not in str(error) and "detached" not in str(error) and "not stable" not in str(error):
                raise
            return False

    def do_what_is_offered(self) -> bool:
        see = self.visitor.see
        if see("lift").is_visible():
            return self.use(see("lift"), "Enter")
        if see("skip").is_visible():
            return self.use(see("skip"), "Escape")
        if see("confirm").is_visible():
            return self.fill_the_slots()
        cells = self.page.locator("[data-cell].pointable")
        if not self.by_keyboard and self.chance.random() < 0.3 and (cell := self.one_of(cells)):
            return self.point_at(cell)
        choice = self.one_of(see("choice"))
        return choice is not None and self.choose(choice)

    def one_of(self, things: Locator) -> Locator | None:
        count = things.count()  # asked once: a moment later there may be none
        return things.nth(self.chance.randrange(count)) if count else None

    def use(self, thing: Locator, key: str) -> bool:
        if self.by_keyboard:
            self.visitor.press(key)
        else:
            thing.click(timeout=2000)
        return True

    def choose(self, choice: Locator) -> bool:
        if choice.get_attribute("aria-disabled", timeout=500) == "true":
            return False
        if not self.by_keyboard:
            if self.visitor.window.touch:
                choice.tap(timeout=1000)
            else:
                choice.click(timeout=1000)
            return True
        key = choice.get_attribute("aria-keyshortcuts", timeout=500) or ""
        if not key:
            return False
        self.visitor.press(KEYS.get(key, key if len(key) == 1 else key.capitalize()))
        return True

    def point_at(self, cell: Locator) -> bool:
        if self.visitor.window.touch:
            cell.tap(timeout=1000)
            if self.page.get_by_text("tap again to do it").is_visible():
                cell.tap(timeout=1000)
        else:
            cell.click(timeout=1000)
        return True

    def fill_the_slots(self) -> bool:
        """Cards into their slots, by click or by their keys, then confirm."""
        confirm = self.visitor.see("confirm")
        if confirm.is_enabled(timeout=500):
            return self.use(confirm, "Enter")
        card = self.one_of(self.page.locator("[data-testid^=card-][aria-pressed=false]"))
        if card is None:
            return False
        if self.by_keyboard:
            self.visitor.press(card.locator("kbd").inner_text(timeout=500))
        else:
            self.visitor.point(card)
        return True
