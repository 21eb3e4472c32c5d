import { errorCodes, type Refusal } from "@comanda/rules";
import { TerminalRefusal } from "./refusal.ts";

/** Refusals that depend on which methods are cash, which the hub may know when this device does not. */
const methodCodes: ReadonlySet<Refusal["code"]> = new Set(["TOO_MUCH", "MORE_THAN_DUE", "WRONG_TENDERED"]);

/**
 * Whether the hub will decide the same. It judges ITEM_OUT by the time of the order, and a payment method unknown to this
 * device by the back-office's current data.
 */
export function isCertain({ code }: Refusal, knowsMethods: boolean): boolean {
  return code !== "ITEM_OUT" && code !== "UNKNOWN_METHOD" && (knowsMethods || !methodCodes.has(code));
}

/** Converts a rule's refusal, so that a command fails before it is sent. */
export function refusalByRule({ code, values }: Refusal): TerminalRefusal {
  return new TerminalRefusal(errorCodes[code], `${code} ${JSON.stringify(values)}`);
}
