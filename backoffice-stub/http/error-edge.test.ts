import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import Koa from "koa";
import { pino } from "pino";
import { expect, it } from "vitest";
import type { RequestState } from "./context.ts";
import { errorEdge } from "./error-edge.ts";

it("an unexpected error is answered without details and logged with them [BO-13]", async () => {
  const logged = new PassThrough({ encoding: "utf8" });
  const app = new Koa<RequestState>();
  app.use(errorEdge(pino(logged)));
  app.use(() => {
    throw new Error("the secret detail");
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x`);
  expect([response.status, await response.json()]).toEqual([
    500,
    { error: "internal error", errorCode: "INTERNAL_ERROR" },
  ]);
  expect(String(logged.read())).toContain("the secret detail");
  server.close();
});
