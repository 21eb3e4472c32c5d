/** Which server a load runs against: ours and the limit speak the terminal protocol, the other one Socket.IO. */
export type Flavour = "comanda" | "socket.io";

export interface Target {
  flavour: Flavour;
  url: string;
  /** A back-office session; the limit and Socket.IO accept anything. */
  token: string;
}
