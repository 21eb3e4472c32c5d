import type { Snapshot } from "@comanda/protocol";
import { CONTACT, promisedAtOf } from "./promised-at.ts";

/** How guests who do not sit here are reached, and what they were promised. */
export interface Contact {
  phone?: string;
  /** Where a delivery goes. */
  address?: string;
  /** When it is to be ready, or there: ISO 8601. */
  promisedAt?: string;
}

/** What a check says of it; what is none of it, as an integration may write anything, is left out. */
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
