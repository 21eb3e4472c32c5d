import type { PosConfig } from "@comanda/protocol";
import type { Person } from "../people/person.ts";
import { HubError } from "../platform/errors.ts";

export interface Refunder extends Pick<Person, "userId" | "userName"> {
  permissions: readonly string[];
}

export interface RefundedBy {
  person: Refunder;
  /** The person's own back-office session, or null if they signed in with a PIN. */
  token: string | null;
  /** The second person who approves, with the approval token. */
  approver: (Refunder & { approval: string }) | null;
  terminalId: string;
  /** The address that the request comes from. */
  peer: string;
}

/** Returns the id that a refund's approval is valid for; no mutation has such an id. */
export function approvedRefund(refundId: string): string {
  return `refund ${refundId}`;
}

/** Whether the back-office makes credit notes for single lines of a check. */
export function takesLinesOf(config: Pick<PosConfig, "creditNotes"> | null): boolean {
  return config?.creditNotes?.lines === true;
}

/** Whether the back-office lets the person refund payments. */
export function mayRefund({ permissions }: Pick<Refunder, "permissions">): boolean {
  return permissions.includes("refund");
}

/** Returns the person in whose name the note is made. */
export function refunderOf({ person, approver }: RefundedBy): Refunder {
  return mayRefund(person) || approver === null ? person : approver;
}

/** Throws FORBIDDEN, or CONFIRMATION_NEEDED if the back-office requires a person's own session. */
export function requireRefunder(by: RefundedBy, config: Pick<PosConfig, "creditNotes"> | null): void {
  const refunder = refunderOf(by);
  if (!mayRefund(refunder)) throw new HubError("FORBIDDEN", `${refunder.userName} may not issue credit notes`);
  const isOwnSession = by.token !== null && refunder === by.person;
  if (isOwnSession || config?.creditNotes?.onBehalfOf === true) return;
  const message = `the back-office issues credit notes only in a person's own session: ${refunder.userName} must sign in with the password`;
  throw new HubError("CONFIRMATION_NEEDED", message);
}
