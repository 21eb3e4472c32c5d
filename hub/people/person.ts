import type { Role } from "@comanda/protocol";

/** Somebody of the restaurant, as the back-office last confirmed. */
export interface Person {
  userId: number;
  userName: string;
  role: Role;
  permissions: string[];
}
