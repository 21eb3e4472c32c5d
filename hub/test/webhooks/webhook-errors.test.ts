import { createServer as createHttpsServer } from "node:https";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { Writable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../../platform/log.ts";
import { manualClock } from "../support/manual-clock.ts";
import { takeoutOrder } from "../support/builders.ts";
import { freePort } from "../support/free-port.ts";
import { operatorOf } from "../support/operator.ts";
import { selfSigned } from "../support/self-signed.ts";
import { startReceiver } from "../support/start-receiver.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";
import { MINUTE, openWebhooks } from "./open-webhooks.ts";

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** An unrequested protocol upgrade; no HTTP answer follows. */
const SWITCHING = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";

/** Opens ports that are not receivers, each for a different reason. */
async function ports(): Promise<Record<string, number>> {
  return {
    closed: await freePort(),
    silent: await listen(createServer()),
    ssh: await listen(createServer((socket) => void socket.write("SSH-2.0-OpenSSH_9.2\r\n"))),
    resets: await listen(createServer((socket) => void socket.resetAndDestroy())),
    closes: await listen(createServer((socket) => void socket.end())),
    upgrades: await listen(createServer((socket) => void socket.write(SWITCHING))),
  };
}

/** Creates a webhook and tests it as its key and as a manager. Returns both answers. */
async function testBoth(hub: TestHub, url: string): Promise<unknown[]> {
  const { id } = (await hub.external().post("/webhooks", { url, events: ["order.paid"] })).body;
  const answers = await Promise.all([
    hub.external().post(`/webhooks/${id}/test`),
    operatorOf(hub)("testWebhook", { params: { webhookId: id } }),
  ]);
  return answers.map(({ body }) => body);
}

describe("errors of failed deliveries", () => {
  it("a test of a webhook reports the same error for every port that does not answer in HTTP [HOOK-34]", async () => {
    const lines: string[] = [];
    const log = createLog("info", new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) }));
    const hub = await startTestHub({ world: { log } });
    const answers = await Promise.all(
      Object.entries(await ports()).flatMap(([name, port]) =>
        ["http", "https"].map(async (scheme) => [
          `${name} ${scheme}`,
          await testBoth(hub, `${scheme}://127.0.0.1:${port}/hook`),
        ]),
      ),
    );
    const unreachable = { sent: false, error: "unreachable" };
    expect(answers).toHaveLength(12);
    for (const [name, both] of answers) expect(both, String(name)).toEqual([unreachable, unreachable]);
    expect(lines.filter((line) => line.includes("ECONNREFUSED"))).not.toEqual([]);
  });

  it("a test of a webhook reports a bad certificate, and passes on the receiver's status [HOOK-34]", async () => {
    const hub = await startTestHub();
    const secure = createHttpsServer(selfSigned, (_, response) => void response.end());
    const bad = { sent: false, error: "tls" };
    expect(await testBoth(hub, `https://localhost:${await listen(secure)}/`)).toEqual([bad, bad]);
    const receiver = await startReceiver();
    receiver.answer((response) => void response.writeHead(503).end());
    expect(await testBoth(hub, receiver.url)).toMatchObject([{ sent: true, status: 503 }, { status: 503 }]);
    expect(await testBoth(hub, receiver.url.replace("http:", "https:"))).toEqual([
      { sent: false, error: "unreachable" },
      { sent: false, error: "unreachable" },
    ]);
  });

  it("the delivery log reports a failed attempt as the same error code, without the system's message [HOOK-34]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const broken = await startReceiver();
    broken.answer((response) => void response.writeHead(500).end());
    const urls = { closed: `http://127.0.0.1:${await freePort()}/`, link: "http://169.254.1.1/", broken: broken.url };
    for (const url of Object.values(urls)) await call("createWebhook", { body: { url, events: ["order.created"] } });
    const { posReference } = (await hub.external().post("/orders", takeoutOrder())).body;
    const webhooks = await until("every attempt was made", async () => {
      const list = (await call("webhooks")).body.webhooks as { url: string; lastFailure: { error: string } | null }[];
      return list.every(({ lastFailure }) => lastFailure !== null) && list;
    });
    const failures = new Map(webhooks.map(({ url, lastFailure }) => [url, lastFailure]));
    expect(failures.get(urls.closed)).toMatchObject({ status: null, error: "unreachable" });
    expect(failures.get(urls.link)).toMatchObject({ status: null, error: "not_allowed" });
    expect(failures.get(urls.broken)).toMatchObject({ status: 500, error: "http_error" });
    const received = [
      (await call("deliveries")).body,
      (await call("orderTimeline", { params: { posReference } })).body,
      (await call("delivery", { params: { deliveryId: 1 } })).body,
    ];
    expect(JSON.stringify(received)).not.toMatch(/ECONN|EHOST|connect |are not sent/);
    expect(received[0].deliveries.map((delivery: { lastError: string }) => delivery.lastError).sort()).toEqual([
      "not_allowed",
      null,
      "unreachable",
    ]);
  });

  it("a receiver that fails now and then is logged once in ten minutes [HOOK-156]", async () => {
    const lines: string[] = [];
    const log = createLog("info", new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) }));
    const receiver = await startReceiver();
    const clock = manualClock();
    const world = { ...clock.world, log };
    const { current } = await openWebhooks(receiver, { ...clock, world });
    let changes = 0;
    const sendWith = async (status: number): Promise<void> => {
      receiver.answer((response) => void response.writeHead(status).end());
      await current().change((changes += 1), "occupied");
      await until("its result is saved", () => current().deliveries.listAttempts(changes).length > 0);
    };
    const logged = () => lines.filter((line) => line.includes("webhook_refused"));
    for (let times = 0; times < 5; times += 1) {
      await sendWith(200);
      await sendWith(500);
    }
    expect(logged()).toHaveLength(1);
    await sendWith(200);
    clock.advance(11 * MINUTE);
    await until("the retries are delivered", () => current().deliveries.counts().pending === 0);
    await sendWith(500);
    expect(logged()).toHaveLength(2);
  });
});
