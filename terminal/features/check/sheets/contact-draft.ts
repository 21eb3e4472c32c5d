import { CONTACT, contactOf, type Contact } from "@comanda/rules";
import type { OrderContent } from "@comanda/terminal";
import { localTime, nextTimeOf } from "../../../lib/labels/local-time.ts";

/** The contact fields as typed. */
export interface ContactDraft {
  phone: string;
  address: string;
  /** `19:30`, or empty. */
  time: string;
}

export function contactDraft({ pluginData }: Pick<OrderContent, "pluginData">, timeZone?: string): ContactDraft {
  const { phone = "", address = "", promisedAt } = contactOf({ pluginData });
  return { phone, address, time: promisedAt === undefined ? "" : localTime(Date.parse(promisedAt), timeZone) };
}

/** Returns the content with the typed contact; other contact data that an integration wrote stays. */
export function withContact(
  content: OrderContent,
  draft: ContactDraft,
  { now, timeZone }: { now: number; timeZone: string | undefined },
): OrderContent {
  const before = contactDraft(content, timeZone);
  const isSame = (Object.keys(draft) as (keyof ContactDraft)[]).every((field) => draft[field].trim() === before[field]);
  if (isSame) return content;
  const { phone: _, address: __, promisedAt: was, ...others } = content.pluginData?.[CONTACT] ?? {};
  const at = draft.time === before.time ? null : nextTimeOf(draft.time, now, timeZone);
  const promisedAt = at === null ? (draft.time === "" ? undefined : was) : new Date(at).toISOString();
  const contact = {
    ...others,
    ...(draft.phone.trim() !== "" && { phone: draft.phone.trim() }),
    ...(draft.address.trim() !== "" && { address: draft.address.trim() }),
    ...(promisedAt !== undefined && { promisedAt }),
  } satisfies Contact | object;
  return { ...content, pluginData: { ...content.pluginData, [CONTACT]: contact } };
}
