import type { ErrorCode } from "@comanda/protocol";
import type { Refusal } from "@comanda/rules";
import { TerminalRefusal } from "./refusal.ts";

/** What the hub answers where its rules refuse a mutation. */
const codes: Readonly<Record<Refusal["code"], ErrorCode>> = {
  NO_ORDER: "NOT_FOUND",
  NO_TICKET: "NOT_FOUND",
  NO_TICKET_LINE: "NOT_FOUND",
  NO_LINE: "NOT_FOUND",
  NEVER_SENT: "VALIDATION_ERROR",
  ABOVE_SENT: "VALIDATION_ERROR",
  TOO_MANY_STATIONS: "LIMIT_REACHED",
  ITEM_OUT: "ITEM_OUT",
  SENT_LINE_REMOVED: "SENT_LINES_IMMUTABLE",
  SENT_LINE_LOWERED: "SENT_LINES_IMMUTABLE",
  VOID_NEEDS_CASHIER: "SENT_LINES_IMMUTABLE",
  HAS_TENDERS: "HAS_PAYMENTS",
  BELOW_PAID: "HAS_PAYMENTS",
  WAS_REMOVED: "ORDER_LOCKED",
  LOCKED: "ORDER_LOCKED",
  NOT_CHECKED_OUT: "VALIDATION_ERROR",
  LEASED: "LEASE_HELD",
  MOVED_ON: "CONFLICT",
  NO_NEW_CHECKS: "NO_ACTIVE_SESSION",
  RESERVED_REFERENCE: "VALIDATION_ERROR",
  TABLE_TAKEN: "TABLE_OCCUPIED",
  MAIN_TABLE_FIRST: "VALIDATION_ERROR",
  AMOUNT_TOO_LARGE: "VALIDATION_ERROR",
  WRONG_TOTAL: "TOTALS_MISMATCH",
  DISCOUNT: "FORBIDDEN",
  DISCARD_NEEDS_CASHIER: "FORBIDDEN",
  CASHIER_NEEDED: "FORBIDDEN",
  NO_SESSION: "NO_ACTIVE_SESSION",
  NO_TENDER: "NOT_FOUND",
  UNKNOWN_METHOD: "VALIDATION_ERROR",
  NOTHING_CHARGED: "VALIDATION_ERROR",
  NOT_COVERED: "VALIDATION_ERROR",
  TOO_MUCH: "VALIDATION_ERROR",
  MORE_THAN_DUE: "VALIDATION_ERROR",
  WRONG_TENDERED: "VALIDATION_ERROR",
};

/** Depend on which methods are cash: the hub may know them where this device does not. */
const ofMethods: ReadonlySet<Refusal["code"]> = new Set(["TOO_MUCH", "MORE_THAN_DUE", "WRONG_TENDERED"]);

/**
 * Whether the hub decides it by what this device knows, too. What has run out is decided by when it was ordered, a method
 * that this device does not know by what the back-office says now.
 */
export function isCertain({ code }: Refusal, knowsMethods: boolean): boolean {
  return code !== "ITEM_OUT" && code !== "UNKNOWN_METHOD" && (knowsMethods || !ofMethods.has(code));
}

/** A command that the hub would refuse, refused before it is asked. */
export function refusalByRule({ code, values }: Refusal): TerminalRefusal {
  return new TerminalRefusal(codes[code], `${code} ${JSON.stringify(values)}`);
}
