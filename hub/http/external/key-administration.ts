import type { IncomingMessage } from "node:http";
import { CreateKey, KEYS_PREFIX, UpdateKey } from "@comanda/protocol";
import type { Middleware } from "koa";
import { BackOfficeError } from "../../back-office/back-office-error.ts";
import type { Identity } from "../../back-office/session-calls.ts";
import type { Identities } from "../../back-office/identities.ts";
import type { Tx } from "../../changes/change.ts";
import type { ChangeLog } from "../../changes/change-log.ts";
import { HubError } from "../../platform/errors.ts";
import type { KeyStore } from "../../keys/key-store.ts";
import type { World } from "../../platform/world.ts";
import { readToken } from "../manager.ts";
import { createRateLimiter } from "../rate-limiter.ts";
import { ok, type Method, type Reply } from "./endpoint.ts";
import { createRouter, decodeSegment, segmentsBelow } from "./paths.ts";
import { drain, readBody } from "./read-call.ts";

const RATE_PER_PEER = 30;

interface KeyRoute {
  method: Method;
  path: string;
  handle(request: IncomingMessage, keyId: string, userName: string): Promise<Reply> | Reply;
}

/** `/external-keys`: a manager, as the back-office vouches for at this moment, makes and ends API keys. */
export function keyAdministration(deps: {
  world: World;
  changes: ChangeLog;
  keys: KeyStore;
  identities: Identities;
  ratePerPeer: number;
  /** Writes down who did what, in the write that does it. */
  note: (tx: Tx, userName: string, deed: { action: string; keyId: string; text: string }) => void;
}): Middleware {
  const { world, changes, keys, identities } = deps;
  const general = createRateLimiter(deps.ratePerPeer, world.clock.monotonic);
  const own = createRateLimiter(RATE_PER_PEER, world.clock.monotonic);

  const routes: readonly KeyRoute[] = [
    {
      method: "GET",
      path: "",
      async handle() {
        await changes.settled();
        return ok({ keys: keys.list() });
      },
    },
    {
      method: "POST",
      path: "",
      async handle(request, _, userName) {
        const asked = await readBody(request, CreateKey);
        const { keyId, token } = await changes.write((tx) => {
          const made = keys.create(tx, asked);
          deps.note(tx, userName, { action: "key.create", keyId: made.keyId, text: asked.label });
          return made;
        });
        world.log.info({ keyId, label: asked.label, scopes: asked.scopes }, "API key made");
        return { status: 201, body: { keyId, token } };
      },
    },
    {
      method: "PATCH",
      path: "/:keyId",
      async handle(request, keyId, userName) {
        const { enabled } = await readBody(request, UpdateKey);
        await changes.write((tx) => {
          if (!keys.setEnabled(keyId, enabled)) throw noSuchKey();
          deps.note(tx, userName, { action: enabled ? "key.enable" : "key.disable", keyId, text: keyId });
        });
        world.log.info({ keyId, enabled }, "API key changed");
        return ok({ keyId, enabled });
      },
    },
    {
      method: "DELETE",
      path: "/:keyId",
      async handle(_, keyId, userName) {
        await changes.write((tx) => {
          if (!keys.remove(keyId)) throw noSuchKey();
          deps.note(tx, userName, { action: "key.delete", keyId, text: keyId });
        });
        world.log.info({ keyId }, "API key deleted");
        return ok({ deleted: true });
      },
    },
  ];

  async function requireManager(request: IncomingMessage, peer: string): Promise<Identity> {
    const token = readToken(request);
    if (token === null) throw noManager();
    const identity = await identities.identifyAdmin(token, { peer, offlineMs: -1 }).catch((error: unknown) => {
      throw error instanceof BackOfficeError ? refusalOf(error) : error;
    });
    if (identity.role !== "manager") throw new HubError("FORBIDDEN", "only a manager may administer API keys");
    return identity;
  }

  const find = createRouter(routes);

  return async (ctx, next) => {
    const segments = segmentsBelow(KEYS_PREFIX, ctx.path);
    if (segments === null) return next();
    try {
      const peer = ctx.ip;
      if (!general.admits(peer) || !own.admits(peer)) {
        throw new HubError("RATE_LIMITED", "too many requests from this address");
      }
      const { userName } = await requireManager(ctx.req, peer);
      const { route, rawParams } = find(ctx.method, segments);
      const reply = await route.handle(ctx.req, decodeSegment(rawParams["keyId"] ?? ""), userName);
      ctx.status = reply.status;
      ctx.set("Cache-Control", "no-store");
      ctx.body = reply.body;
    } catch (error) {
      await drain(world, ctx.req);
      throw error;
    }
  };
}

function noManager(): HubError {
  return new HubError("UNAUTHENTICATED", "a manager's back-office session is needed");
}

function noSuchKey(): HubError {
  return new HubError("NOT_FOUND", "there is no such key");
}

function refusalOf(error: BackOfficeError): HubError {
  if (error.kind !== "unreachable") return noManager();
  return new HubError("UPSTREAM_UNAVAILABLE", "the back-office cannot be reached to check this session");
}
