import type { Role } from "@comanda/protocol";

/** Somebody of the restaurant, as the back-office last confirmed. */
export interface Person {
  userId: number;
  userName: string;
  role: Role;
  permissions: string[];
  /** What they sign in with at the back-office; null where it does not say. */
  login: string | null;
}
