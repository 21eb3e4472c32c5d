import type { Tx } from "../changes/change.ts";
import type { KeyHolder } from "../keys/key-store.ts";
import { redactUrl } from "../platform/redact-url.ts";
import type { Subscription } from "../webhooks/subscription-store.ts";
import type { AuditLog } from "./audit-log.ts";

/** Writes down what an API key did to a webhook, its own or another's, and has the screens read the list again. */
export function noteByKey(audit: AuditLog) {
  return (tx: Tx, { label, writer }: KeyHolder, action: string, { id, url, createdBy }: Subscription): void => {
    audit.record(tx, `${label} (${writer})`, action, redactUrl(url), `${id}, made by ${createdBy}`);
    tx.emit({ kind: "notice", notice: { topics: ["webhooks"] } });
  };
}
