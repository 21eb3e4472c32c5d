import { Enrolment as EnrolmentRequest } from "@comanda/protocol/chain.ts";
import Router from "koa-router";
import { readJson } from "../read-json.ts";
import type { Enrolment } from "./enrolment.ts";

/** Returns POST /enroll, by which a hub that has a code becomes its restaurant's hub. It needs no sign-in. */
export function enrolmentRoutes(enrolment: Enrolment): Router {
  const router = new Router();
  router.post("/enroll", async (ctx) => {
    ctx.body = await enrolment.enrol(await readJson(ctx.req, EnrolmentRequest, 4_096), ctx.ip);
  });
  return router;
}
