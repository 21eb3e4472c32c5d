import type { Role } from "@comanda/protocol";

/** A user at a terminal. */
export interface Writer {
  terminalId: string;
  userName: string;
  /** The higher role of the user and the approver. */
  role: Role;
  /** Permissions of the user and the approver; undefined for the hub itself. */
  permissions?: readonly string[];
  /** The name of the user who approved the change. */
  approvedBy?: string;
  /** When the terminal queued the change, ms since 1970; null if unknown. */
  queuedAt?: number | null;
}
