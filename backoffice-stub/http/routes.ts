import Router from "koa-router";
import type { QuirkSwitches } from "../control/quirks.ts";
import type { Stores } from "../stores/stores.ts";
import type { User } from "../stores/users.ts";
import { requireCaller } from "./caller.ts";
import type { RequestState } from "./context.ts";
import { notFound } from "./error-edge.ts";
import { objectBody } from "./read-body.ts";

export interface Call {
  caller: User;
  body: Record<string, unknown>;
}

export type Routes = ReturnType<typeof createRoutes>;

/** The POS API. Every POST needs a live session and returns JSON. */
export function createRoutes(stores: Stores, quirks: QuirkSwitches) {
  const router = new Router<RequestState>({ prefix: "/pos-api/v1", strict: true, sensitive: true });

  return {
    router,

    post(path: string, answer: (call: Call) => unknown): void {
      router.post(path, (ctx) => {
        if (quirks.get().lacks.some((extension) => path === `/${extension}`)) notFound(ctx);
        const caller = requireCaller({ stores, quirks }, ctx);
        ctx.body = answer({ caller, body: objectBody(ctx.state.body) });
      });
    },
  };
}
