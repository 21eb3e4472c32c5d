import type { ErrorCode } from "@comanda/protocol";
import { translator } from "./translation.ts";

/** What the hub refuses with, and what keeps a page from its answer. */
export type RefusalCode = ErrorCode | "NO_CONNECTION" | "UNEXPECTED_ANSWER";

/** What a refusal says to whoever reads it, waiter or manager: what happened, and what to do about it. */
export function refusalWords(code: string): { what: string; todo: string } {
  const t = translator("refusal");
  const words = (of: RefusalCode) => ({ what: t(`${of}.what`), todo: t(`${of}.todo`) });
  const found = words(code as RefusalCode);
  return found.what === `${code}.what` ? words("UNEXPECTED_ANSWER") : found;
}
