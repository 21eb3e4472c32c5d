/** The protocol of a server: ours and the limit speak the terminal protocol, the third one Socket.IO. */
export type Flavour = "comanda" | "socket.io";

export interface Target {
  flavour: Flavour;
  url: string;
  /** Token of a back-office session; the limit and Socket.IO accept any. */
  token: string;
}
