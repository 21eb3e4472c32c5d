import { toCents } from "@comanda/rules";

const MAX_DIGITS = 8;
const DECIMALS = 2;

/** Returns the amount typed on the keypad after one more key: a digit, "." or "erase". */
export function typeAmount(text: string, key: string): string {
  if (key === "erase") return text.slice(0, -1);
  if (key === ".") return text.includes(".") ? text : `${text === "" ? "0" : text}.`;
  const [whole = "", decimals] = text.split(".");
  if (decimals !== undefined) return decimals.length < DECIMALS ? text + key : text;
  if (whole === "0") return key;
  return whole.length < MAX_DIGITS ? text + key : text;
}

/** Returns the typed amount in cents. */
export function typedCents(text: string): number {
  return toCents(Number(text));
}
