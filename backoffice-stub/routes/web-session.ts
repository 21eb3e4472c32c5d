import { AuthenticateParams, JsonRpcCall } from "@comanda/protocol";
import Router from "koa-router";
import { z } from "zod";
import type { QuirkSwitches } from "../control/quirks.ts";
import { callerOf, setSessionCookie, sessionIdOf } from "../http/caller.ts";
import type { Context, RequestState } from "../http/context.ts";
import { deadSession, rpcError, rpcResult, type RpcId } from "../http/json-rpc.ts";
import { isInGroup, readGroupQuestion } from "../sign-in/has-group.ts";
import { sessionInfo, versionInfo } from "../sign-in/session-info.ts";
import type { Stores } from "../stores/stores.ts";
import { findUser, type User, findUserByCredentials } from "../stores/users.ts";

interface RpcRequest {
  id: RpcId;
  params: Record<string, unknown>;
}

type Answer = Record<string, unknown>;

const accessDenied = "odoo.exceptions.AccessDenied";
const database = "demo";

/** Odoo's JSON-RPC session endpoints: failures also return HTTP 200; a body that is not JSON-RPC returns 400 in plain text. */
export function webSessionRouter(stores: Stores, quirks: QuirkSwitches): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true, sensitive: true });

  const rpc = (path: string, answer: (ctx: Context, request: RpcRequest) => Answer, read = readRpc): void => {
    router.post(path, (ctx) => {
      const request = read(ctx);
      if (request !== null) ctx.body = answer(ctx, request);
    });
  };
  const signedIn = (
    path: string,
    answer: (user: User, request: RpcRequest, ctx: Context) => Answer,
    read = readRpc,
  ): void => {
    const forUser = (ctx: Context, request: RpcRequest): Answer => {
      const user = callerOf({ stores, quirks }, ctx);
      return user === null ? deadSession(quirks.get(), request.id) : answer(user, request, ctx);
    };
    rpc(path, forUser, read);
  };

  rpc("/web/session/authenticate", (ctx, { id, params }) => {
    const signIn = AuthenticateParams.safeParse(params);
    if (!signIn.success) return rpcError(quirks.get(), id, "builtins.TypeError", "db, login and password are needed");
    if (quirks.get().tooManyLoginFailures) {
      return rpcError(
        quirks.get(),
        id,
        accessDenied,
        "Too many login failures, please wait a bit before trying again.",
      );
    }
    const user = findUserByCredentials(signIn.data.login, signIn.data.password);
    if (user === null) return rpcError(quirks.get(), id, accessDenied, "Access Denied");
    if (quirks.get().secondFactor) return rpcResult(id, { uid: null });
    setSessionCookie(ctx, stores.userSessions.open(user));
    return rpcResult(id, sessionInfo(user, signIn.data.db, quirks.get()));
  });

  rpc(
    "/web/webclient/version_info",
    (_ctx, { id }) => {
      const info = versionInfo(quirks.get());
      return rpcResult(id, { ...info, server_serie: info.server_version, protocol_version: 1 });
    },
    readBareRpc,
  );

  // The part of Odoo's general endpoint that a client calls before sign-in.
  rpc("/jsonrpc", (_ctx, { id, params: { service, method } }) => {
    if (service === "db" && method === "list") return rpcResult(id, [database]);
    if (service === "common" && method === "version") return rpcResult(id, versionInfo(quirks.get()));
    return rpcError(quirks.get(), id, "builtins.KeyError", `${String(service)}.${String(method)} is not answered here`);
  });

  signedIn(
    "/web/session/get_session_info",
    (user, { id }) => rpcResult(id, sessionInfo(user, database, quirks.get())),
    readBareRpc,
  );

  signedIn("/web/session/check", (_user, { id }) => rpcResult(id, null), readBareRpc);

  signedIn(
    "/web/session/destroy",
    (_user, { id }, ctx) => {
      stores.userSessions.end(sessionIdOf(ctx) ?? "");
      return rpcResult(id, null);
    },
    readBareRpc,
  );

  signedIn("/web/dataset/call_kw/res.users/has_group", (user, { id, params }) => {
    const question = readGroupQuestion(params["args"], quirks.get().serverVersion);
    if (question === null) return rpcError(quirks.get(), id, "builtins.TypeError", "has_group() got wrong arguments");
    const queried = question.uid === null ? user : findUser(question.uid);
    return rpcResult(id, queried !== null && isInGroup(queried, question.group));
  });

  return router;
}

const RpcIdSchema = z.union([z.string(), z.number()]).nullable().catch(null);

/** Reads a call without parameters: the cookie alone, or `{}`, is enough. */
function readBareRpc(ctx: Context): RpcRequest | null {
  return readRpc(ctx, BareCall);
}

const BareCall = JsonRpcCall.extend({ params: JsonRpcCall.shape.params.default({}) });

/** Returns the call, or null after a refusal in Odoo's plain text. */
function readRpc(ctx: Context, Call: typeof JsonRpcCall | typeof BareCall = JsonRpcCall): RpcRequest | null {
  const { body } = ctx.state;
  const value: unknown = body.kind === "none" && Call === BareCall ? {} : body.kind === "json" ? body.value : undefined;
  const call = value === undefined ? null : Call.safeParse(value);
  if (call?.success) return { id: RpcIdSchema.parse(call.data.id ?? null), params: call.data.params };
  ctx.status = 400;
  ctx.type = "text";
  ctx.body = call === null ? "Invalid JSON data" : "Invalid JSON-RPC data";
  return null;
}
