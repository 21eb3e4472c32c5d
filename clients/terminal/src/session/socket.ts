/** The part of a WebSocket that a session needs. `closed` is called exactly once, also if the connection never opened. */
export interface TerminalSocket {
  send(text: string): void;
  /** `code`: 1000, or 3000 to 4999. */
  close(code: number, reason: string): void;
}

export interface SocketListener {
  opened(): void;
  received(text: string): void;
  closed(code: number, reason: string): void;
}

export type OpenSocket = (url: string, listener: SocketListener) => TerminalSocket;
