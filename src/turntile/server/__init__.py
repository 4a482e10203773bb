"""The arena in the browser: HTTP and WebSocket, lobby, accounts, live matches."""
