import type { Role } from "@comanda/protocol";

/** A person of the restaurant, as the back-office last confirmed. */
export interface Person {
  userId: number;
  userName: string;
  role: Role;
  permissions: string[];
  /** Their login at the back-office, or null if it does not say. */
  login: string | null;
}
