import type { Database } from "better-sqlite3";
import { redactUrl } from "../../platform/redact-url.ts";

/**
 * A mark that outlives the last API key, one that secrets have to be encrypted, the reasons of failed deliveries in the words of `WebhookError`, and addresses in
 * the audit log without what gives access.
 */
export function migrate(db: Database): void {
  db.exec(`
    -- 1 from the first API key on, whatever becomes of it.
    ALTER TABLE hub_state ADD COLUMN has_had_key INTEGER NOT NULL DEFAULT 0;
    UPDATE hub_state SET has_had_key = EXISTS (SELECT 1 FROM external_keys)
      OR EXISTS (SELECT 1 FROM webhook_subscriptions WHERE created_by <> 'hub')
      OR EXISTS (SELECT 1 FROM audit_log WHERE action = 'key.create');

    -- 1 while webhook secrets stand in the file as they are, or in what was overwritten: the start that follows ends that.
    ALTER TABLE hub_state ADD COLUMN holds_plain_secrets INTEGER NOT NULL DEFAULT 0;
    UPDATE hub_state SET holds_plain_secrets = EXISTS (SELECT 1 FROM webhook_subscriptions);

    -- They were the system's own words, which tell what is open and closed on the network.
    UPDATE webhook_attempts SET error = CASE WHEN error LIKE 'webhooks are not sent %' THEN 'not_allowed' ELSE 'unreachable' END
      WHERE error IS NOT NULL;
    UPDATE webhook_subscriptions SET last_failure_error = CASE
        WHEN last_failure_error LIKE 'webhooks are not sent %' THEN 'not_allowed'
        WHEN last_failure_status IS NOT NULL THEN 'http_error'
        ELSE 'unreachable' END
      WHERE last_failure_error IS NOT NULL;
  `);
  // Deeds of managers name addresses, which may hold a password or a token.
  db.function("redact_url", { deterministic: true }, (url: unknown) => redactUrl(String(url)));
  db.exec("UPDATE audit_log SET subject = redact_url(subject) WHERE action GLOB 'webhook.*'");
}
