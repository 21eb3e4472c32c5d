import type { ErrorCode } from "@comanda/protocol";
import { translator } from "./translation.ts";

/** The codes of the hub's refusals, and of failures to get its answer. */
export type RefusalCode = ErrorCode | "NO_CONNECTION" | "UNEXPECTED_ANSWER";

/** Returns the texts of a refusal, for waiters and managers: what happened, and what to do about it. */
export function refusalTexts(code: string): { what: string; todo: string } {
  const t = translator("refusal");
  const textsOf = (of: RefusalCode) => ({ what: t(`${of}.what`), todo: t(`${of}.todo`) });
  const found = textsOf(code as RefusalCode);
  return found.what === `${code}.what` ? textsOf("UNEXPECTED_ANSWER") : found;
}
