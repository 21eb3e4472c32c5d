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

/** A type of fiscal number that a check may get. */
export interface FiscalType {
  type: string;
  kind: SaleKind;
  /** It names the buyer; with `needsRnc` by RNC or cédula, else by one of those or a name. */
  namesBuyer: boolean;
  needsRnc: boolean;
}

/** What was chosen for the fiscal number of a check; `type` null: by the customer. */
export interface FiscalChoice {
  type: string | null;
  rnc: string;
  name: string;
}

/**
 * The types that the house has numbers of and that a sale may bear. Where the back-office does not tell its sequences
 * (undefined), the two that every house has.
 */
export function fiscalTypes(ncfTypes: readonly string[] | undefined): FiscalType[] {
  const offered = ncfTypes ?? ["B02", "B01"];
  return Object.entries(saleTypes)
    .filter(([type]) => offered.includes(type))
    .map(([type, kind]) => ({ type, kind, namesBuyer: isForBuyer(type), needsRnc: needsRnc(type) }));
}

/**
 * The type that the check gets: the chosen one while it is offered, else for a buyer with an RNC the one that gives tax
 * credit and for all others the final consumer's. Null: without a number; so is nothing chosen where the back-office does not
 * tell its sequences (`isTold` false).
 */
export function typeOf(choice: FiscalChoice, types: readonly FiscalType[], isTold: boolean): FiscalType | null {
  const chosen = types.find(({ type }) => type === choice.type);
  if (chosen !== undefined) return chosen;
  const kind = hasRncForm(choice.rnc) ? "credit" : "consumer";
  if (!isTold && kind === "consumer") return null;
  return types.find((each) => each.kind === kind) ?? null;
}

/** What was chosen with the part of a check that was paid last, on whatever device. */
export function choiceOnCheck(
  tenders: readonly Pick<Tender, "fiscal">[],
  types: readonly FiscalType[],
  isTold: boolean,
): FiscalChoice {
  const { type = null, rnc, name } = tenders.findLast(({ fiscal }) => fiscal !== undefined)?.fiscal ?? {};
  const byBuyer = { type: null, rnc: rnc ?? "", name: name ?? "" };
  // A type that followed from the buyer goes on doing so.
  return typeOf(byBuyer, types, isTold)?.type === type ? byBuyer : { ...byBuyer, type };
}

/** A customer who was found brings RNC and name. The type that a person chose stays: only the default follows the customer. */
export function choiceFor(choice: FiscalChoice, customer: Pick<Customer, "name" | "rnc"> | null): FiscalChoice {
  return { type: choice.type, rnc: digitsOf(customer?.rnc), name: customer?.name ?? "" };
}

/** What goes with the payment; undefined: the check gets no number. */
export function fiscalRequest(choice: FiscalChoice, type: FiscalType | null): FiscalRequest | undefined {
  if (type === null) return undefined;
  return {
    type: type.type,
    ...(hasRncForm(choice.rnc) && { rnc: choice.rnc }),
    ...(choice.name !== "" && { name: choice.name }),
  };
}

export type FiscalProblem = "rncMissing" | "rncForm" | "buyerMissing" | "nameMissing";

/** What keeps a check of this total from getting the number of this type. */
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
