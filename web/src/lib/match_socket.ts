import { PREFIX } from "./api";

const PROTOCOL = "turntile.v1";

/** Opens a socket to a match, at which pictures are shown. */
export function openMatchSocket(matchId: string, asked: Record<string, string> = {}): WebSocket {
  const address = new URL(`${PREFIX}/matches/${encodeURIComponent(matchId)}/socket`, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.search = new URLSearchParams({ feed: "scene", ...asked }).toString();
  return patient(new WebSocket(address, PROTOCOL));
}

/** Lets a socket be opened before it is closed: browsers complain in the console about one that is cut meanwhile. */
function patient(socket: WebSocket): WebSocket {
  const close = socket.close.bind(socket);
  socket.close = (code = 1000) => {
    if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => close(code));
    else close(code);
  };
  return socket;
}
