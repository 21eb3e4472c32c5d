import type { Snapshot } from "@comanda/protocol";
import { CONTACT, promisedAtOf } from "./promised-at.ts";

/** Contact data of guests who do not eat in the restaurant, and the time they were promised. */
export interface Contact {
  phone?: string;
  /** Where a delivery goes. */
  address?: string;
  /** When the order is to be ready or delivered, ISO 8601. */
  promisedAt?: string;
}

/** Returns the contact data of a check. Drops invalid values, because integrations may write anything. */
export function contactOf({ pluginData }: Pick<Snapshot, "pluginData">): Contact {
  const { phone, address } = pluginData?.[CONTACT] ?? {};
  const promisedAt = promisedAtOf({ pluginData });
  return {
    ...(isText(phone) && { phone }),
    ...(isText(address) && { address }),
    ...(promisedAt !== undefined && { promisedAt }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
