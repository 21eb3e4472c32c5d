import type { HubMessage } from "@comanda/protocol";
import type { MessageRead } from "./read-hub-message.ts";
import type { Reader, Schemas } from "./schemas.ts";

const taken: Reader<never> = { safeParse: (value) => ({ success: true, data: value as never }) };

/**
 * Takes everything as it comes: for a page that the hub itself serves, which speaks the same protocol. A mutation that breaks
 * a rule is refused by the hub.
 */
export const trustingSchemas: Schemas = {
  readsOtherVersions: false,
  readMessage,
  storedOrder: taken,
  table: taken,
  ticket: taken,
  itemState: taken,
  till: taken,
  pluginRecord: taken,
  menu: taken,
  learned: taken,
  floors: taken,
  people: taken,
  offeredOrder: taken,
  problemsOf: () => [],
  answer: () => taken,
};

function readMessage(value: unknown): MessageRead {
  const { type } = (value ?? {}) as { type?: unknown };
  if (typeof type === "string") return { message: value as HubMessage, problems: [] };
  return { message: null, problems: [new Error("this is no message of a hub")] };
}
