import { logEvent } from "../../platform/log-event.ts";
import type { AuditAction, keyRoutes } from "@comanda/protocol";
import type { Tx } from "../../changes/change.ts";
import { HubError } from "../../platform/errors.ts";
import type { World } from "../../platform/world.ts";
import type { Stores } from "../../stores/create-stores.ts";
import type { Manager } from "../access/access.ts";
import type { Handlers, OperatorHandlers } from "../handlers.ts";

interface Deps extends Pick<Stores, "changes" | "keys" | "audit"> {
  world: World;
}

/** Routes for managing API keys. Each change is recorded in the audit log in the same transaction. */
export function keyAdministrationRoutes(deps: Deps): Handlers<typeof keyRoutes> {
  const { world, changes, keys } = deps;

  return {
    listKeys: () => listKeys(deps),

    async createKey({ body, manager }) {
      const { keyId, token } = await changes.write((tx) => {
        const created = keys.create(tx, body);
        record(deps, tx, manager.userName, "key.create", created.keyId, body.label);
        return created;
      });
      world.log.info(logEvent("key_created", { keyId, label: body.label, scopes: body.scopes }), "API key created");
      return { keyId, token };
    },

    updateKey: ({ params: { keyId }, body: { enabled }, manager }) => setEnabled(deps, keyId, enabled, manager),

    async deleteKey({ params: { keyId }, manager }) {
      await changes.write((tx) => {
        if (!keys.remove(keyId)) throw keyNotFound();
        record(deps, tx, manager.userName, "key.delete", keyId);
      });
      world.log.info(logEvent("key_deleted", { keyId }), "API key deleted");
      return { deleted: true };
    },
  };
}

/** Routes for listing and disabling API keys, also while the back-office is unreachable. */
export function operatorKeyRoutes(deps: Deps) {
  return {
    keys: () => listKeys(deps),
    disableKey: ({ params: { keyId }, manager }) => setEnabled(deps, keyId, false, manager),
  } satisfies Partial<OperatorHandlers>;
}

/** Lists the keys after saving their last uses, so that shown uses survive a restart. A full disk does not stop it. */
async function listKeys({ changes, keys }: Deps) {
  await keys.saveUses(changes).catch(() => undefined);
  return { keys: keys.list() };
}

async function setEnabled(deps: Deps, keyId: string, enabled: boolean, manager: Manager) {
  await deps.changes.write((tx) => {
    if (!deps.keys.setEnabled(keyId, enabled)) throw keyNotFound();
    record(deps, tx, manager.userName, enabled ? "key.enable" : "key.disable", keyId);
  });
  deps.world.log.info(logEvent("key_changed", { keyId, enabled }), "API key changed");
  return { keyId, enabled };
}

function record({ audit }: Deps, tx: Tx, userName: string, action: AuditAction, keyId: string, text = keyId): void {
  audit.record(tx, userName, action, keyId, text);
  const kind = action === "key.create" ? "key_created" : "key_changed";
  tx.notify(["keys"], { kind, level: "info", detail: { userName, text } });
}

function keyNotFound(): HubError {
  return new HubError("NOT_FOUND", "there is no such key");
}
