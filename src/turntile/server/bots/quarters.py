"""The bots' quarters: all that bots of one server process need, made with the hall and put away with it."""

from __future__ import annotations

import asyncio

from starlette.requests import HTTPConnection

from turntile.server.bots.doorbell import Doorbell
from turntile.server.bots.notebook import Notebook
from turntile.server.bots.robot_fight import Fights
from turntile.server.bots.trials import Trials
from turntile.server.bots.uploads import UploadDriver
from turntile.server.bots.webhooks import WebhookDriver
from turntile.server.hall import Hall
from turntile.server.settings import Settings


class Quarters:
    """Hangs on `app.state.bots`. Make it before the hall starts, so that matches that go on find their drivers."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.settings: Settings = hall.settings
        self.notebook = Notebook()
        self.webhooks = WebhookDriver(hall, self.notebook)
        self.uploads = UploadDriver(hall, self.notebook)
        self.doorbell = Doorbell(hall)
        self.trials = Trials(hall, self.notebook, {"webhook": self.webhooks, "upload": self.uploads})
        hall.drivers["webhook"] = self.webhooks
        hall.drivers["upload"] = self.uploads
        self.fights = Fights(hall)
        hall.bystanders += [self.doorbell, self.fights]

    async def close(self) -> None:
        """End programs and connections; comes after the hall has stopped."""
        self.trials.close()
        await asyncio.gather(self.webhooks.close(), self.uploads.close())


def quarters_of(connection: HTTPConnection) -> Quarters:
    quarters: Quarters = connection.app.state.bots
    return quarters
