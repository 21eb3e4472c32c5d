import { BackOfficeErrorCode, sentence, type Sentence } from "@comanda/protocol";
import { BackOfficeError } from "../back-office/back-office-error.ts";

/** A final refusal to assign or release a number: another attempt would get the same answer. */
export interface RefusedNumber {
  refusal: Sentence;
  errorCode: string | null;
}

/** Plain Odoo's names for refusals by its own rules; its other names are server errors. */
const ODOO_REFUSALS = new Set(["odoo.exceptions.UserError", "odoo.exceptions.ValidationError"]);

/**
 * Returns the answer, or a refusal that the back-office gives by its code. All other errors are thrown and worth another
 * attempt: server errors pass, and a number that is requested again is the same one.
 */
export async function refusalOr<T extends object>(call: Promise<T>): Promise<T | RefusedNumber> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof BackOfficeError) || !hasKnownCode(error)) throw error;
    return { refusal: error.said, errorCode: error.errorCode ?? null };
  }
}

/**
 * Like `refusalOr`, for releasing a number: every refusal counts, also a missing endpoint. An order must not wait for something
 * impossible.
 */
export async function releaseOrRefusal<T extends object>(call: Promise<T>): Promise<T | RefusedNumber> {
  try {
    return await call;
  } catch (error) {
    // A dead session was renewed before, so a 404 comes from the endpoint.
    if (!(error instanceof BackOfficeError) || (error.kind !== "refused" && error.status !== 404)) throw error;
    const refusal = error.kind === "refused" ? error.said : sentence("no_such_endpoint");
    return { refusal, errorCode: error.errorCode ?? null };
  }
}

/** Whether the back-office refuses a request by a code, which means that it has done nothing. */
export function hasKnownCode({ kind, errorCode = "" }: BackOfficeError): boolean {
  if (kind !== "refused" || errorCode === "INTERNAL_ERROR") return false;
  const isNumberCode = BackOfficeErrorCode.safeParse(errorCode).success || errorCode.startsWith("NCF_");
  return isNumberCode || ODOO_REFUSALS.has(errorCode);
}
