import type { Tx } from "../changes/change.ts";
import type { KeyHolder } from "../keys/key-store.ts";
import { redactUrl } from "../platform/redact-url.ts";
import type { Subscription } from "../webhooks/subscription-store.ts";
import type { AuditLog } from "./audit-log.ts";

/** Records in the audit log what an API key did to a webhook, and makes the screens reload the list. */
export function noteByKey(audit: AuditLog) {
  return (tx: Tx, { label, writer }: KeyHolder, action: string, { id, url, createdBy }: Subscription): void => {
    audit.record(tx, `${label} (${writer})`, action, redactUrl(url), `${id}, made by ${createdBy}`);
    tx.emit({ kind: "notice", notice: { topics: ["webhooks"] } });
  };
}
