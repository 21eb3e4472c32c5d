import type { Role } from "@comanda/protocol";

/** A person at a terminal. */
export interface Writer {
  terminalId: string;
  userName: string;
  role: Role;
}
