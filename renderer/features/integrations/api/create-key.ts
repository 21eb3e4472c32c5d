import type { CreateKey } from "@comanda/protocol";
import { callHub } from "../../../lib/hub-client.ts";

/** The token in the answer is shown this once and kept nowhere. */
export function createKey(key: CreateKey) {
  return callHub("createKey", { body: key });
}
