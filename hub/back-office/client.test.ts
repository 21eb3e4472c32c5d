import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { startTestHub } from "../test/start-test-hub.ts";
import { realWorld } from "../world.ts";
import { createBackOfficeClient } from "./client.ts";

function clientOf(url: string) {
  const contacts: boolean[] = [];
  const world = realWorld(pino({ level: "silent" }));
  const onContact = (reached: boolean): void => void contacts.push(reached);
  const client = createBackOfficeClient({ world, url, db: "demo", onContact });
  onTestFinished(client.stop);
  return { ...client, contacts };
}

/** A server that answers every request alike. */
async function answering(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function reply(status: number, type: string, body: string): RequestListener {
  return (_, response) => void response.writeHead(status, { "content-type": type }).end(body);
}

describe("hub/lookup", () => {
  it("[FWD-20] tells what the back-office has", async () => {
    const { backOffice } = await startTestHub({ env: { ERP_USER: "" } });
    const client = clientOf(backOffice.url);
    const { token } = await client.authenticate("hub", "hub");
    const snapshot = { status: "paid", lines: [], totals: { subtotal: 100, tax: 18, total: 118 } };
    const order = { posReference: "LOOKUP-1", snapshot };
    await client.finalize(token, {
      eventId: 7,
      type: "hub_finalize",
      posReference: "LOOKUP-1",
      createdAt: "",
      orderJson: JSON.stringify(order),
    });
    expect((await client.lookup(token, ["LOOKUP-1", "LOOKUP-2"])).value).toEqual([
      {
        posReference: "LOOKUP-1",
        status: "paid",
        orderId: expect.any(Number),
        eventId: 7,
        total: 118,
        ncf: null,
        paidAt: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it.each([
    ["a JSON 404", reply(404, "application/json", JSON.stringify({ error: "no", errorCode: "NOT_FOUND" }))],
    ["a page for 404", reply(404, "text/html", "<html></html>")],
    ["a page for everything", reply(200, "text/html", "<html></html>")],
    ["a refusal", reply(403, "application/json", JSON.stringify({ error: "no", errorCode: "FORBIDDEN" }))],
    [
      "a refusal in an envelope",
      reply(200, "application/json", JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: 0, message: "no" } })),
    ],
    ["something else", reply(200, "application/json", JSON.stringify({ hello: "world" }))],
  ])("[FWD-20] is not there when the answer is %s", async (_, answer) => {
    const client = clientOf(await answering(answer));
    expect(await client.lookup("t", ["A"])).toEqual({ value: null, token: "t" });
  });

  it.each([
    ["an error", reply(500, "application/json", JSON.stringify({ error: "oops", errorCode: "INTERNAL_ERROR" }))],
    ["a proxy's page", reply(502, "text/html", "<html></html>")],
    ["too many requests", reply(429, "text/plain", "later")],
  ])("[FWD-20] leaves it open when the answer is %s", async (_, answer) => {
    const client = clientOf(await answering(answer));
    await expect(client.lookup("t", ["A"])).rejects.toMatchObject({ kind: "unreachable" });
  });
});
