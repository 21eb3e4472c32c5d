import type { Role } from "@comanda/protocol";

/** A person at a terminal. */
export interface Writer {
  terminalId: string;
  userName: string;
  /** The higher role of the person and of the one who approved. */
  role: Role;
  /** Of the person and of the one who approved; absent for the hub itself. */
  permissions?: readonly string[];
  /** Who approved what the person alone may not do. */
  approvedBy?: string;
  /** When the terminal queued what is done now, ms since 1970. */
  queuedAt?: number | null;
}
