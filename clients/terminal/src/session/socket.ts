/** What a session needs of a WebSocket. `closed` comes exactly once, also when the connection never opened. */
export interface TerminalSocket {
  send(text: string): void;
  /** `code` 1000 or 3000 to 4999. */
  close(code: number, reason: string): void;
}

export interface SocketListener {
  opened(): void;
  received(text: string): void;
  closed(code: number, reason: string): void;
}

export type OpenSocket = (url: string, listener: SocketListener) => TerminalSocket;
