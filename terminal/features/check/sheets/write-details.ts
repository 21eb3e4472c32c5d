import type { OrderType, Snapshot } from "@comanda/protocol";
import { changeOrderType, type OrderContent, type PricedMenu } from "@comanda/terminal";
import { type ContactDraft, contactDraft, withContact } from "./contact-draft.ts";

/** What the sheet of a check's details holds. */
export interface TypedDetails {
  customerName: string;
  notes: string;
  guestCount: Snapshot["guestCount"];
  contact: ContactDraft;
  orderType: OrderType;
}

/** The check with what was typed; what was not touched stays as others have made it since the sheet was opened. */
export function writeDetails(
  content: OrderContent,
  { typed, opened }: { typed: TypedDetails; opened: Snapshot },
  given: { now: number; menu: PricedMenu | undefined },
): OrderContent {
  const { customerName, notes, guestCount, contact, orderType } = typed;
  const about = {
    ...content,
    ...(customerName.trim() !== (opened.customerName ?? "") && { customerName: customerName.trim() || null }),
    ...(notes.trim() !== (opened.notes ?? "") && { notes: notes.trim() }),
    ...(guestCount !== opened.guestCount && { guestCount }),
  };
  const wasTyped = JSON.stringify(contact) !== JSON.stringify(contactDraft(opened));
  const named = orderType !== "dine_in" && wasTyped ? withContact(about, contact, given.now) : about;
  if (orderType === opened.orderType || given.menu === undefined) return named;
  return changeOrderType(named, { orderType, tableId: orderType === "dine_in" ? opened.tableId : null }, given.menu);
}
