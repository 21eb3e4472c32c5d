import type { keyRoutes } from "@comanda/protocol";
import type { Tx } from "../../changes/change.ts";
import type { ChangeLog } from "../../changes/change-log.ts";
import type { KeyStore } from "../../keys/key-store.ts";
import type { AuditLog } from "../../operator/audit-log.ts";
import { HubError } from "../../platform/errors.ts";
import type { World } from "../../platform/world.ts";
import type { Handlers } from "../handlers.ts";

/** What managers do with API keys; each change is in the audit log, in the same transaction. */
export function keyAdministrationRoutes(deps: {
  world: World;
  changes: ChangeLog;
  keys: KeyStore;
  audit: AuditLog;
}): Handlers<typeof keyRoutes> {
  const { world, changes, keys, audit } = deps;

  return {
    listKeys: () => ({ keys: keys.list() }),

    async createKey({ body, manager }) {
      const { keyId, token } = await changes.write((tx) => {
        const created = keys.create(tx, body);
        record(tx, manager.userName, "key.create", created.keyId, body.label);
        return created;
      });
      world.log.info({ keyId, label: body.label, scopes: body.scopes }, "API key created");
      return { keyId, token };
    },

    async updateKey({ params: { keyId }, body: { enabled }, manager }) {
      await changes.write((tx) => {
        if (!keys.setEnabled(keyId, enabled)) throw noSuchKey();
        record(tx, manager.userName, enabled ? "key.enable" : "key.disable", keyId);
      });
      world.log.info({ keyId, enabled }, "API key changed");
      return { keyId, enabled };
    },

    async deleteKey({ params: { keyId }, manager }) {
      await changes.write((tx) => {
        if (!keys.remove(keyId)) throw noSuchKey();
        record(tx, manager.userName, "key.delete", keyId);
      });
      world.log.info({ keyId }, "API key deleted");
      return { deleted: true };
    },
  };

  function record(tx: Tx, userName: string, action: string, keyId: string, text = keyId): void {
    audit.record(tx, userName, action, keyId, text);
    const kind = action === "key.create" ? "key_created" : "key_changed";
    tx.notify(["keys"], { kind, level: "info", detail: { userName, text } });
  }
}

function noSuchKey(): HubError {
  return new HubError("NOT_FOUND", "there is no such key");
}
