import type { OrderMutation } from "@comanda/protocol";
import { type HubError, Refusal } from "../../platform/errors.ts";

/** Returns the order that a mutation is about; undefined for a batch, or if it is about no order. */
export function posReferenceOf(mutation: OrderMutation): string | undefined {
  return "posReference" in mutation ? mutation.posReference : undefined;
}

/** A refusal with the reference of the order that was refused. */
export class RefusedMutation extends Refusal {
  override readonly name = "RefusedMutation";
  readonly posReference: string | undefined;
  readonly refusal: HubError;
  /** The hub keeps the mutation for a manager to decide on. */
  readonly isKept: boolean;

  constructor(posReference: string | undefined, refusal: HubError, isKept = false) {
    super(refusal.message);
    this.posReference = posReference;
    this.refusal = refusal;
    this.isKept = isKept;
  }
}
