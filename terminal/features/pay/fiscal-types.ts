import {
  digitsOf,
  hasRncForm,
  missingOfBuyer,
  mustIdentifyBuyer,
  type Customer,
  type FiscalRequest,
  type Tender,
} from "@comanda/protocol";
import { isForBuyer, needsRnc, saleTypes, type SaleKind } from "@comanda/rules";

/** A type of fiscal number for sales. */
export interface FiscalType {
  type: string;
  kind: SaleKind;
  /** Whether it names the buyer: with `needsRnc` by RNC or cédula, otherwise by one of those or a name. */
  namesBuyer: boolean;
  needsRnc: boolean;
}

/** The choices for the fiscal number of a check; a `type` of null follows from the customer. */
export interface FiscalChoice {
  type: string | null;
  rnc: string;
  name: string;
}

/**
 * Returns the types for sales that the restaurant has numbers of. If the back-office does not report its sequences (undefined),
 * returns the two that every restaurant has.
 */
export function fiscalTypes(ncfTypes: readonly string[] | undefined): FiscalType[] {
  const offered = ncfTypes ?? ["B02", "B01"];
  return Object.entries(saleTypes)
    .filter(([type]) => offered.includes(type))
    .map(([type, kind]) => ({ type, kind, namesBuyer: isForBuyer(type), needsRnc: needsRnc(type) }));
}

/**
 * Returns the type that the check gets: the chosen one while it is offered; otherwise the tax credit type for a buyer with an
 * RNC, and the final consumer's for all others. Null means no number, also for a final consumer if the back-office does not
 * report its sequences (`hasTypes` false).
 */
export function typeOf(choice: FiscalChoice, types: readonly FiscalType[], hasTypes: boolean): FiscalType | null {
  const chosen = types.find(({ type }) => type === choice.type);
  if (chosen !== undefined) return chosen;
  const kind = hasRncForm(choice.rnc) ? "credit" : "consumer";
  if (!hasTypes && kind === "consumer") return null;
  return types.find((each) => each.kind === kind) ?? null;
}

/** Returns the choices made with the check's last payment, on any device. */
export function choiceOnCheck(
  tenders: readonly Pick<Tender, "fiscal">[],
  types: readonly FiscalType[],
  hasTypes: boolean,
): FiscalChoice {
  const { type = null, rnc, name } = tenders.findLast(({ fiscal }) => fiscal !== undefined)?.fiscal ?? {};
  const byBuyer = { type: null, rnc: rnc ?? "", name: name ?? "" };
  // A type that followed from the buyer continues to do so.
  return typeOf(byBuyer, types, hasTypes)?.type === type ? byBuyer : { ...byBuyer, type };
}

/** Takes RNC and name from a customer. A chosen type stays; only the default type follows the customer. */
export function choiceFor(choice: FiscalChoice, customer: Pick<Customer, "name" | "rnc"> | null): FiscalChoice {
  return { type: choice.type, rnc: digitsOf(customer?.rnc), name: customer?.name ?? "" };
}

/** Returns the fiscal part of the payment, or undefined if the check gets no number. */
export function fiscalRequest(choice: FiscalChoice, type: FiscalType | null): FiscalRequest | undefined {
  if (type === null) return undefined;
  return {
    type: type.type,
    ...(hasRncForm(choice.rnc) && { rnc: choice.rnc }),
    ...(choice.name !== "" && { name: choice.name }),
  };
}

export type FiscalProblem = "rncMissing" | "rncForm" | "buyerMissing" | "nameMissing";

/** Returns why a check of this total cannot get a number of this type, or null if it can. */
export function fiscalProblem(choice: FiscalChoice, type: FiscalType | null, total: number): FiscalProblem | null {
  if (choice.rnc !== "" && !hasRncForm(choice.rnc)) return "rncForm";
  if (mustIdentifyBuyer(type?.type, total)) {
    const missing = missingOfBuyer(choice);
    return missing === null ? null : missing === "rnc" ? "buyerMissing" : "nameMissing";
  }
  if (type?.namesBuyer !== true || choice.rnc !== "") return null;
  if (type.needsRnc) return "rncMissing";
  return choice.name.trim() === "" ? "nameMissing" : null;
}
