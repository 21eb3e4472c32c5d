import type { OrderType, Snapshot } from "@comanda/protocol";
import { changeOrderType, type OrderContent, type PricedMenu } from "@comanda/terminal";
import { type ContactDraft, contactDraft, withContact } from "./contact-draft.ts";

/** The fields of the details sheet. */
export interface TypedDetails {
  customerName: string;
  notes: string;
  guestCount: Snapshot["guestCount"];
  contact: ContactDraft;
  orderType: OrderType;
}

/** Returns the content with the typed details. Untouched fields keep what was changed elsewhere since the sheet was opened. */
export function writeDetails(
  content: OrderContent,
  { typed, opened }: { typed: TypedDetails; opened: Snapshot },
  context: { now: number; timeZone: string | undefined; menu: PricedMenu | undefined },
): OrderContent {
  const { customerName, notes, guestCount, orderType } = typed;
  const about = {
    ...content,
    ...(isTyped(customerName, opened.customerName) && { customerName: customerName.trim() || null }),
    ...(isTyped(notes, opened.notes) && { notes: notes.trim() }),
    ...(guestCount !== opened.guestCount && { guestCount }),
  };
  const draftOf = (of: Pick<OrderContent, "pluginData">) => contactDraft(of, context.timeZone);
  const contact = typedContact({ typed: typed.contact, opened: draftOf(opened), now: draftOf(content) });
  const named = orderType === "dine_in" ? about : withContact(about, contact, context);
  const isTypeChosen = orderType !== opened.orderType && orderType !== content.orderType;
  if (!isTypeChosen || context.menu === undefined) return named;
  if (orderType !== "dine_in") return changeOrderType(named, { orderType, tableId: null }, context.menu);
  // Without a table, removed elsewhere meanwhile, the check cannot become dine-in.
  const { tableId = null } = content;
  return tableId === null ? named : changeOrderType(named, { orderType, tableId }, context.menu);
}

function isTyped(text: string, opened: string | null | undefined): boolean {
  return text.trim() !== (opened ?? "").trim();
}

/** Returns the current contact of the check, with the fields that were changed here. */
function typedContact({ typed, opened, now }: Record<"typed" | "opened" | "now", ContactDraft>): ContactDraft {
  const fieldOf = (field: keyof ContactDraft): string => (typed[field] === opened[field] ? now : typed)[field];
  return { phone: fieldOf("phone"), address: fieldOf("address"), time: fieldOf("time") };
}
