import {
  missingOfBuyer,
  mustIdentifyBuyer,
  type FiscalRequest,
  type FiscalState,
  type Snapshot,
  type StoredOrder,
} from "@comanda/protocol";
import { contingencyTypeOf, isElectronic, isSaleType, typeOfNumber } from "@comanda/rules";
import { explainedError, HubError } from "../../platform/errors.ts";
import type { NcfStore } from "./ncf-store.ts";

/** The fiscal fields of a paid check. */
export type FiscalPart = Pick<Snapshot, "ncf" | "fiscal">;

/** A check that a payment settles; `total` is in its currency. */
interface PaidCheck {
  posReference: string;
  total: number;
}

export function checkOf({ posReference, snapshot }: StoredOrder): PaidCheck {
  return { posReference, total: snapshot.totals.total };
}

/** What the fiscal number of a check depends on besides the payment. */
export interface FiscalDeps {
  ncfs: Pick<NcfStore, "findHolder">;
  /** Whether the back-office cannot sign electronic receipts, so that paper numbers are requested instead. */
  isContingency(): boolean;
  /** A code that is unique to the receipt. */
  newLookup(): string;
}

interface FiscalInput {
  ncf?: string | undefined;
  fiscal?: FiscalRequest | undefined;
}

/** The numbers of the document types of the Dominican Republic: B-series on paper, E-series electronic. */
const FORM = /^(?:B(?:0[1-4]|1[1-7])\d{8}|E(?:3[1-4]|4[13-7])\d{10})$/;

/** Error code if no number is requested because the buyer must be identified first. */
const BUYER_MISSING = "BUYER_MISSING";

/**
 * Returns the fiscal part of an order that a payment settles: the number that the terminal sent, or the state of the number
 * that the hub requests. The payment is accepted even if a required buyer is not identified: the state is then `failed`, and
 * a manager decides. Throws NCF_INVALID or NCF_IN_USE. Call it before anything is written.
 */
export function fiscalOfPayment(
  deps: FiscalDeps,
  { posReference, total }: PaidCheck,
  { ncf, fiscal }: FiscalInput,
): FiscalPart {
  const request = requestOf(fiscal);
  if (ncf === undefined) {
    requireSaleType(request.type);
    return { fiscal: requestedState(deps, request, total) };
  }

  if (!FORM.test(ncf)) throw new HubError("NCF_INVALID", `${ncf} is not a fiscal number`);
  const type = typeOfNumber(ncf);
  if (request.type !== undefined && request.type !== type) {
    throw new HubError("NCF_INVALID", `${ncf} is a number of type ${type}, not ${request.type}`);
  }
  const holder = deps.ncfs.findHolder(ncf);
  if (holder !== null && holder !== posReference) {
    throw new HubError("NCF_IN_USE", `order ${holder} already has the fiscal number ${ncf}`);
  }
  requireSaleType(type);
  const lookup = isElectronic(type) && { lookup: deps.newLookup() };
  return { ncf, fiscal: { ...request, type, status: "assigned", ...lookup } };
}

/**
 * Does the same as `fiscalOfPayment` for a kept payment that a manager applies. Instead of a number that the check cannot
 * have, the hub requests another one of its type. If no type of a sale is known, the state is `failed` and the manager decides.
 */
export function fiscalOfUnapplied(deps: FiscalDeps, check: PaidCheck, payment: FiscalInput): FiscalPart {
  try {
    return fiscalOfPayment(deps, check, payment);
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    const { ncf, fiscal } = payment;
    const { type: requested, ...request } = requestOf(fiscal);
    const requestedType =
      requested ?? (error.code === "NCF_IN_USE" && ncf !== undefined ? typeOfNumber(ncf) : undefined);
    const typeRefusal = refusalOfType(requestedType);
    if (requestedType !== undefined && typeRefusal === null) {
      return { fiscal: requestedState(deps, { ...request, type: requestedType }, check.total) };
    }
    const { message, code } = typeRefusal ?? error;
    return { fiscal: { ...request, status: "failed", error: message, errorCode: code } };
  }
}

/** Throws NCF_INVALID for a type that is not for sales, such as that of a credit note or a purchase. */
export function requireSaleType(type: string | undefined): void {
  const refusal = refusalOfType(type);
  if (refusal !== null) throw refusal;
}

function refusalOfType(type: string | undefined): HubError | null {
  return type === undefined || isSaleType(type) ? null : explainedError("NCF_INVALID", "number_of_no_sale", { type });
}

/** Returns the state of a number that the hub has to request. */
function requestedState(deps: FiscalDeps, requested: FiscalRequest, total: number): FiscalState {
  if (requested.type === undefined) return { ...requested, status: "none" };
  const standIn = deps.isContingency() ? contingencyTypeOf(requested.type) : undefined;
  const request = standIn === undefined ? requested : { ...requested, type: standIn, contingency: true as const };
  const lookup = deps.newLookup();
  if (!mustIdentifyBuyer(request.type, total) || missingOfBuyer(request) === null) {
    return { ...request, status: "pending", lookup };
  }
  const error = `a receipt of type ${request.type} for ${total} must name its buyer, by RNC or cédula and name`;
  return { ...request, status: "failed", error, errorCode: BUYER_MISSING, lookup };
}

/** Returns the terminal's request, without the fields that only the hub sets. */
function requestOf(fiscal: FiscalRequest = {}): FiscalRequest {
  const { status: _status, expiresOn: _expiresOn, error: _error, errorCode: _errorCode, ...request } = fiscal;
  const { ecf: _ecf, lookup: _lookup, contingency: _contingency, ...requested } = request;
  return requested;
}
