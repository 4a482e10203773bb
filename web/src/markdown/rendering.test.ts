import { mount, unmount } from "svelte";
import { expect, test } from "vitest";
import { parseMarkdown } from "./markdown";
import Markdown from "./Markdown.svelte";

test("a text becomes elements, and HTML in it stays text", () => {
  const text = "# Rules\n\nSay **so** and `code`, <img src=x onerror=alert(1)> [no](javascript:x) [yes](/rules/tron).\n\n- one\n- two\n\n| a | b |\n|--|--|\n| 1 | <b>2</b> |";
  const page = mount(Markdown, { target: document.body, props: { blocks: parseMarkdown(text) } });
  expect(document.querySelector("h2")?.textContent).toBe("Rules");
  expect(document.querySelector("strong")?.textContent).toBe("so");
  expect(document.querySelectorAll("li")).toHaveLength(2);
  expect(document.querySelectorAll("td")).toHaveLength(2);
  expect([...document.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual(["/rules/tron"]);
  expect(document.querySelector("img, b, script")).toBe(null);
  expect(document.body.textContent).toContain("<img src=x onerror=alert(1)>");
  void unmount(page);
});
