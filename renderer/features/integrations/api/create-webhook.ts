import type { CreateWebhook } from "@comanda/protocol";
import { callHub } from "../../../lib/hub-client.ts";

/** The secret in the answer is shown this once and kept nowhere in the page. */
export function createWebhook(webhook: CreateWebhook) {
  return callHub("createWebhook", { body: webhook });
}
