import { errorCodes, type Refusal } from "@comanda/rules";
import { TerminalRefusal } from "./refusal.ts";

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
  return new TerminalRefusal(errorCodes[code], `${code} ${JSON.stringify(values)}`);
}
