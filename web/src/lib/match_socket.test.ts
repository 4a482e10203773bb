import { afterEach, expect, test, vi } from "vitest";

import { openMatchSocket } from "./match_socket";

class FakeSocket extends EventTarget {
  static readonly CONNECTING = 0;
  readyState = 0;
  readonly closed: number[] = [];
  constructor(readonly address: URL) {
    super();
  }
  close(code: number): void {
    this.closed.push(code);
  }
}

function open(): FakeSocket {
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", new URL("https://arena.test/play/tron"));
  return openMatchSocket("abc", { watch: "1" }) as unknown as FakeSocket;
}

afterEach(() => vi.unstubAllGlobals());

test("a socket is asked for at the page's own server, with pictures", () => {
  expect(String(open().address)).toBe("wss://arena.test/api/v1/matches/abc/socket?feed=scene&watch=1");
});

test("one that is still being opened is closed once it is open", () => {
  const socket = open();
  socket.close(1000);
  expect(socket.closed).toEqual([]);
  socket.readyState = 1;
  socket.dispatchEvent(new Event("open"));
  expect(socket.closed).toEqual([1000]);
});

test("an open one is closed at once", () => {
  const socket = open();
  socket.readyState = 1;
  socket.close(1000);
  expect(socket.closed).toEqual([1000]);
});
