import { sentence, type AuditAction } from "@comanda/protocol";
import type { Tx } from "../../changes/change.ts";
import { redactUrl } from "../../platform/redact-url.ts";
import type { Subscription } from "../../webhooks/subscriptions/subscription-rows.ts";
import type { Requester } from "../../webhooks/webhook-service.ts";
import type { AuditLog } from "../../audit/audit-log.ts";

/** Returns a function that audits changes to webhooks and makes the screens reload their lists. */
export function auditWebhooks(audit: AuditLog) {
  return (tx: Tx, by: Requester, action: AuditAction, target: Subscription | string): void => {
    const text = typeof target === "string" ? target : redactUrl(target.url);
    const isKey = "keyId" in by;
    const note =
      isKey && typeof target === "object"
        ? sentence("note_made_by", { id: target.id, createdBy: target.createdBy })
        : null;
    audit.record(tx, isKey ? `${by.label} (${by.writer})` : by.userName, action, text, note);
    tx.notify(["webhooks", "deliveries"]);
    if (action === "webhook.disable" && !isKey) {
      tx.notify([], { kind: "webhook_disabled", level: "warn", detail: { userName: by.userName, text } });
    }
  };
}
