import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { createHub } from "../../hub.ts";
import { createLog } from "../../platform/log.ts";
import { runDrill } from "../../operator/system/drill.ts";
import { realWorld } from "../../platform/world.ts";

interface Batch {
  events: { eventId: number }[];
}
type Send = (body: unknown) => Promise<Response>;

/** Forwards a batch to the back-office with a fault. The hub receives the returned answer. */
type Fault = (batch: Batch, send: Send) => Promise<unknown>;

const world = realWorld(createLog("silent"));

/** Runs the drill on a hub whose batches to the back-office pass through `fault`. */
async function drillWith(fault: Fault) {
  let backOffice = "";
  const line = createServer((request, response) => {
    const relay = async () => {
      const body = await json(request);
      const send: Send = (content) => relayTo(`${backOffice}${request.url}`, request.headers, content);
      const isBatch = request.url === "/pos-api/v1/hub/batch-sync";
      const answer = isBatch ? await fault(body as Batch, send) : await (await send(body)).json();
      response.writeHead(200, { "content-type": "application/json", "set-cookie": "session_id=practice" });
      response.end(JSON.stringify(answer));
    };
    relay().catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => line.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    line.closeAllConnections();
    line.close();
  });
  const url = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
  return runDrill(world, (config) => {
    backOffice = config.backOffice.url;
    return createHub({ ...config, backOffice: { ...config.backOffice, url } }, world);
  });
}

function relayTo(address: string, { cookie }: IncomingHttpHeaders, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json", ...(cookie !== undefined && { cookie }) };
  return fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
}

it("a drill with a sound hub counts nothing lost or booked twice, even when an answer gets lost [OP-83]", async () => {
  expect(await drillWith(async (batch, send) => (await send(batch)).json())).toMatchObject({
    paidWhileCut: 20,
    forwardedAfter: 20,
    lost: 0,
    twice: 0,
  });
});

it("a drill counts orders that a faulty hub sends again under another event as booked twice [OP-83]", async () => {
  let offset = 0;
  const report = await drillWith(async ({ events, ...rest }, send) => {
    offset += 1_000;
    const renumbered = events.map((event) => ({ ...event, eventId: event.eventId + offset }));
    const { results } = (await (await send({ ...rest, events: renumbered })).json()) as {
      results: { eventId: number }[];
    };
    return { results: results.map((result) => ({ ...result, eventId: result.eventId - offset })) };
  });
  // The hub resends the batch whose answer was lost.
  expect(report).toMatchObject({ forwardedAfter: 20, lost: 0 });
  expect(report.twice).toBeGreaterThan(0);
});

it("a drill counts orders that a faulty hub wrongly marks as sent as lost [OP-83]", async () => {
  const report = await drillWith(({ events }) =>
    Promise.resolve({ results: events.map(({ eventId }) => ({ eventId, status: "finalized" })) }),
  );
  expect(report).toMatchObject({ forwardedAfter: 0, lost: 40, twice: 0 });
});

it("a drill counts only orders paid during the outage, and as many wait and are booked [OP-175]", async () => {
  const report = await drillWith(async (batch, send) => (await send(batch)).json());
  expect(report).toMatchObject({ paidWhileCut: 20, queuedWhileCut: 20, forwardedAfter: 20 });
});
