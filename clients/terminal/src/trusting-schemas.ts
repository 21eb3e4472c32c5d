import type { HubMessage } from "@comanda/protocol";
import type { MessageRead } from "./read-hub-message.ts";
import type { Reader, Schemas } from "./schemas.ts";

const unchecked: Reader<never> = { safeParse: (value) => ({ success: true, data: value as never }) };

/**
 * Accepts all values unchecked, for a page that the hub serves itself and that speaks the same protocol. The hub refuses an
 * invalid mutation.
 */
export const trustingSchemas: Schemas = {
  readsOtherVersions: false,
  readMessage,
  storedOrder: unchecked,
  table: unchecked,
  ticket: unchecked,
  itemState: unchecked,
  till: unchecked,
  pluginRecord: unchecked,
  menu: unchecked,
  learned: unchecked,
  floors: unchecked,
  people: unchecked,
  offeredOrder: unchecked,
  problemsOf: () => [],
  answer: () => unchecked,
};

function readMessage(value: unknown): MessageRead {
  const { type } = (value ?? {}) as { type?: unknown };
  if (typeof type === "string") return { message: value as HubMessage, problems: [] };
  return { message: null, problems: [new Error("this is no message of a hub")] };
}
