import { BackOfficeErrorCode, said, type Said } from "@comanda/protocol";
import { BackOfficeError } from "../back-office/back-office-error.ts";

/** Why the back-office gives, or gives up, no number: another attempt would be answered alike. */
export interface RefusedNumber {
  refusal: Said;
  errorCode: string | null;
}

/** How a plain Odoo names a refusal that its own rules decide; its other names are faults of the server. */
const ODOO_REFUSALS = new Set(["odoo.exceptions.UserError", "odoo.exceptions.ValidationError"]);

/**
 * The answer, or a refusal that the back-office says by its code. Everything else throws and is worth another attempt: a fault
 * of the server passes, a number that was asked for once more is the same one.
 */
export async function refusalOr<T extends object>(call: Promise<T>): Promise<T | RefusedNumber> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof BackOfficeError) || !isSaidByCode(error)) throw error;
    return { refusal: error.said, errorCode: error.errorCode ?? null };
  }
}

/**
 * As `refusalOr`, for giving a number up: every refusal counts, and that the back-office has no such endpoint. An order does not
 * wait for what nobody can do.
 */
export async function releaseOrRefusal<T extends object>(call: Promise<T>): Promise<T | RefusedNumber> {
  try {
    return await call;
  } catch (error) {
    // A dead session was renewed before: its 404 is the endpoint's.
    if (!(error instanceof BackOfficeError) || (error.kind !== "refused" && error.status !== 404)) throw error;
    const refusal = error.kind === "refused" ? error.said : said("no_such_endpoint");
    return { refusal, errorCode: error.errorCode ?? null };
  }
}

/** Whether the back-office refuses what was asked, and says so by a code: nothing of it was done. */
export function isSaidByCode({ kind, errorCode = "" }: BackOfficeError): boolean {
  if (kind !== "refused" || errorCode === "INTERNAL_ERROR") return false;
  const isKnown = BackOfficeErrorCode.safeParse(errorCode).success || errorCode.startsWith("NCF_");
  return isKnown || ODOO_REFUSALS.has(errorCode);
}
