import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { pino } from "pino";
import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { openDataFile } from "../../db/open.ts";
import { createSecretCipher, keyFileOf } from "../../db/files/secret-cipher.ts";
import { restoreNow } from "../../db/restore/staged-restore.ts";
import { realWorld } from "../../platform/world.ts";
import { takeoutOrder } from "../support/builders.ts";
import { tempFolder, hubEnv } from "../support/data/data-files.ts";
import { operatorOf } from "../support/operator.ts";
import { runHubToEnd } from "../support/start-hub-program.ts";
import { startReceiver, type ReceivedRequest } from "../support/start-receiver.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const world = realWorld(pino({ level: "silent" }));

function isSignedWith(secret: string, { raw, headers }: ReceivedRequest): boolean {
  return Stripe.webhooks.signature!.verifyHeader(raw, String(headers["x-hub-signature"]), secret, 600);
}

/** Starts a hub that has delivered one order event to one receiver. */
async function hubWithWebhook() {
  const hub = await startTestHub();
  const receiver = await startReceiver();
  const key = await hub.createKey();
  const external = hub.external(key.token);
  const subscription = { url: receiver.url, events: ["order.created"] };
  const { id, secret } = (await external.post("/webhooks", subscription)).body as { id: string; secret: string };
  const order = async () => (await external.post("/orders", takeoutOrder())).body;
  const listed = async () => (await external.get("/webhooks")).body.webhooks[0];
  const pending = async () => (await hub.send("GET", "/health")).body.webhookPending;
  await order();
  const [first] = await receiver.count(1);
  expect(isSignedWith(secret, first!)).toBe(true);
  await until("delivered", async () => (await pending()) === 0);
  const keyFile = keyFileOf(hub.dbPath);
  return { hub, receiver, external, id, secret, order, listed, pending, keyFile, call: operatorOf(hub) };
}

/** Returns the content of all files below a folder as one text. */
function bytesIn(dir: string): string {
  const files = readdirSync(dir, { recursive: true, encoding: "utf8" }).map((name) => path.join(dir, name));
  return files.flatMap((file) => (statSync(file).isFile() ? [readFileSync(file, "latin1")] : [])).join("\n");
}

function open(file: string) {
  return openDataFile({ file, backupDir: path.join(path.dirname(file), "backups"), world });
}

describe("secrets of webhooks", () => {
  it("webhook secrets are stored only encrypted, and no backup or diagnostics file holds their key [DB-35]", async () => {
    const { hub, secret, id, call, keyFile, receiver, order } = await hubWithWebhook();
    const { backup } = (await call("makeBackup")).body;
    const download = await call("downloadBackup", { params: { name: backup.name } });
    expect(download.status).toBe(200);
    const dir = path.dirname(hub.dbPath);
    expect(bytesIn(dir)).not.toContain(secret);
    expect(bytesIn(dir)).not.toContain("whsec_");
    const key = readFileSync(keyFile, "utf8").trim();
    expect(statSync(keyFile).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
    expect(Buffer.from(key, "base64url")).toHaveLength(32);
    expect(bytesIn(path.join(dir, "backups"))).not.toContain(key);
    const bundle = await fetch(`${hub.url}/operator/v1/diagnostics/bundle`, {
      headers: { Authorization: `Bearer ${await hub.signIn("manager")}` },
    });
    const packed = gunzipSync(Buffer.from(await bundle.arrayBuffer())).toString("latin1");
    expect(packed).toContain("overview.json");
    for (const hidden of [key, secret]) expect(packed).not.toContain(hidden);
    await hub.restart();
    await order();
    expect(isSignedWith(secret, (await receiver.count(2))[1]!)).toBe(true);
    expect((await call("webhooks")).body.webhooks).toMatchObject([{ id }]);
    expect((await call("webhooks")).body.webhooks[0]).not.toHaveProperty("needsSecret");
  });

  it("an encrypted secret is bound to its subscription, and a changed byte makes it unreadable [DB-35]", () => {
    const keyFile = path.join(tempFolder(), "hub.sqlite.key");
    const cipher = createSecretCipher(keyFile, world);
    const stored = cipher.encrypt("whsec_x", "ws_1");
    expect(createSecretCipher(keyFile, world).decrypt(stored, "ws_1")).toBe("whsec_x");
    expect(cipher.encrypt("whsec_x", "ws_1")).not.toBe(stored);
    expect(cipher.decrypt(stored, "ws_2")).toBeNull();
    const bytes = Buffer.from(stored.slice(3), "base64url");
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(cipher.decrypt(`v1.${flipped.toString("base64url")}`, "ws_1")).toBeNull();
    }
    for (const cut of ["v1.", stored.slice(0, 20), stored.slice(0, -6)]) {
      expect(cipher.decrypt(cut, "ws_1")).toBeNull();
    }
    expect(createSecretCipher(path.join(tempFolder(), "other.key"), world).decrypt(stored, "ws_1")).toBeNull();
  });

  it("the user and password of a webhook's address are in no byte of the data file, its log and backups [DB-110]", async () => {
    const hub = await startTestHub();
    const receiver = await startReceiver();
    const external = hub.external();
    const url = receiver.url.replace("http://", "http://ana%40home:hunter%2Ftwo@");
    await external.post("/webhooks", { url, events: ["order.created"] });
    const order = () => external.post("/orders", takeoutOrder());
    await order();
    await operatorOf(hub)("makeBackup");
    const authorization = `Basic ${Buffer.from("ana@home:hunter/two").toString("base64")}`;
    expect((await receiver.count(1))[0]?.headers).toMatchObject({ authorization });
    expect(bytesIn(path.dirname(hub.dbPath))).not.toMatch(/hunter|ana%40/);
    await hub.restart();
    await order();
    expect((await receiver.count(2))[1]?.headers).toMatchObject({ authorization });
    expect((await external.get("/webhooks")).body.webhooks[0].url).toBe(receiver.url.replace("//", "//***@"));
  });

  it("the query of a webhook's address is stored only encrypted, and is sent as given [DB-130]", async () => {
    const hub = await startTestHub();
    const receiver = await startReceiver();
    const external = hub.external();
    const query = "?token=hunter2%2Ftwo&x=a+b:c&y=%3F";
    await external.post("/webhooks", { url: receiver.url + query, events: ["order.created"] });
    const order = () => external.post("/orders", takeoutOrder());
    await order();
    await operatorOf(hub)("makeBackup");
    expect((await receiver.count(1))[0]?.path).toContain(query);
    expect(bytesIn(path.dirname(hub.dbPath))).not.toContain("hunter2");
    await hub.restart();
    await order();
    expect((await receiver.count(2))[1]?.path).toContain(query);
    expect((await external.get("/webhooks")).body.webhooks[0].url).toBe(receiver.url + query);
    expect(JSON.stringify((await operatorOf(hub)("webhooks")).body)).not.toContain("hunter2");
  });

  it("the key file is never overwritten: an empty data file uses it, and an unreadable one is set aside [DB-37]", async () => {
    const { hub, keyFile } = await hubWithWebhook();
    const key = readFileSync(keyFile, "utf8");
    await hub.restart(() => {
      const backupDir = path.join(path.dirname(hub.dbPath), "backups");
      restoreNow({ dbPath: hub.dbPath, backupDir }, null, "test", world);
    });
    const again = hub.external((await hub.createKey()).token);
    await again.post("/webhooks", { url: "http://127.0.0.1:1/" });
    expect(readFileSync(keyFile, "utf8")).toBe(key);
    await hub.restart(() => writeFileSync(keyFile, "nonsense"));
    expect((await again.get("/webhooks")).body.webhooks).toMatchObject([{ needsSecret: true }]);
    expect(readFileSync(keyFile, "utf8")).toBe("nonsense");
    expect((await again.post("/webhooks", { url: "http://127.0.0.1:1/" })).status).toBe(201);
    const aside = readdirSync(path.dirname(keyFile)).find((name) => name.includes(".key.unreadable-"));
    expect(readFileSync(path.join(path.dirname(keyFile), aside ?? ""), "utf8")).toBe("nonsense");
  });

  it("deliveries wait while their secret cannot be read, until the key file is back [HOOK-37]", async () => {
    const { hub, receiver, external, id, secret, order, listed, pending, keyFile, call } = await hubWithWebhook();
    await hub.restart(() => renameSync(keyFile, `${keyFile}.away`));
    expect(await listed()).toMatchObject({ id, enabled: true, needsSecret: true });
    expect((await call("webhooks")).body.webhooks).toMatchObject([{ id, needsSecret: true }]);
    const lost = { sent: false, error: "needs_secret" };
    expect((await external.post(`/webhooks/${id}/test`)).body).toEqual(lost);
    expect((await call("testWebhook", { params: { webhookId: id } })).body).toEqual(lost);
    const { posReference } = await order();
    await order();
    expect(await pending()).toBe(2);
    const { deliveries } = (await call("deliveries", { query: { state: "pending" } })).body;
    expect(deliveries).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
    const announced = (await call("delivery", { params: { deliveryId: 1 } })).body.attempts;
    expect(announced).toMatchObject([{ status: 200, headers: { "x-hub-delivery": "1" } }]);
    expect(announced[0].headers).not.toHaveProperty("x-hub-signature");
    await hub.restart();
    expect(await pending()).toBe(2);
    expect(existsSync(keyFile)).toBe(false);
    expect(receiver.received).toHaveLength(1);
    await hub.restart(() => renameSync(`${keyFile}.away`, keyFile));
    const received = await receiver.count(3);
    expect(received.map(({ body }) => body.data.posReference)).toContain(posReference);
    for (const each of received) expect(isSignedWith(secret, each)).toBe(true);
    expect(await listed()).not.toHaveProperty("needsSecret");
  });

  it("a manager replaces a webhook's secret, and waiting deliveries are signed with the new one [HOOK-38]", async () => {
    const { hub, receiver, id, order, listed, pending, keyFile, call } = await hubWithWebhook();
    await hub.restart(() => rmSync(keyFile));
    await order();
    const params = { webhookId: id };
    const changed = await call("setWebhookSecret", { params, body: {} });
    expect(changed).toMatchObject({ status: 200, body: { id, secret: expect.stringMatching(/^whsec_[\w-]{43}$/) } });
    const [, second] = await receiver.count(2);
    expect(isSignedWith(changed.body.secret, second!)).toBe(true);
    await until("delivered", async () => (await pending()) === 0);
    expect(await listed()).not.toHaveProperty("needsSecret");
    expect(bytesIn(path.dirname(hub.dbPath))).not.toContain("whsec_");
    const [entry] = (await call("audit")).body.entries;
    expect(entry).toMatchObject({ action: "webhook.secret", target: receiver.url });
    expect((await call("setWebhookSecret", { params: { webhookId: "ws_x" }, body: {} })).status).toBe(404);
    await hub.restart();
    await order();
    expect(isSignedWith(changed.body.secret, (await receiver.count(3))[2]!)).toBe(true);
  });

  it("only the key that created a webhook may set its secret [HOOK-38]", async () => {
    const { hub, receiver, external, id, secret, order, keyFile, call } = await hubWithWebhook();
    await hub.restart(() => rmSync(keyFile));
    await order();
    const at = `/webhooks/${id}/secret`;
    const other = hub.external((await hub.createKey()).token);
    expect(await other.post(at, { secret })).toMatchObject({ status: 403, body: { errorCode: "FORBIDDEN" } });
    const reader = hub.external((await hub.createKey(["read"])).token);
    expect((await reader.post(at, { secret })).status).toBe(403);
    expect((await external.post("/webhooks/ws_unknown/secret", {})).status).toBe(404);
    for (const bad of ["", "whsec_short", `x${secret}`, `whsec_${"a".repeat(129)}`, `${secret} `, 7]) {
      expect((await external.post(at, { secret: bad })).body).toMatchObject({ errorCode: "VALIDATION_ERROR" });
    }
    expect((await external.get("/webhooks")).body.webhooks).toMatchObject([{ needsSecret: true }]);
    expect(receiver.received).toHaveLength(1);
    const answer = await external.post(at, { secret });
    expect(answer).toMatchObject({ status: 200, body: { id, url: receiver.url, secret } });
    expect(isSignedWith(secret, (await receiver.count(2))[1]!)).toBe(true);
    expect((await call("audit")).body.entries).toMatchObject([
      { action: "webhook.secret", userName: expect.stringContaining("ext:") },
      {},
      {},
      { action: "webhook.create" },
      {},
    ]);
  });

  it("a restored backup needs this PC's key file to read the webhooks' secrets [REST-41, REST-42]", async () => {
    const { hub, receiver, secret, order, listed, keyFile, call } = await hubWithWebhook();
    const { backup } = (await call("makeBackup")).body;
    const file = path.join(path.dirname(hub.dbPath), "backups", backup.name);
    const restore = (): void => {
      const backupDir = path.dirname(file);
      restoreNow({ dbPath: hub.dbPath, backupDir }, file, "test", world);
    };
    await hub.restart(restore);
    await order();
    expect(isSignedWith(secret, (await receiver.count(2))[1]!)).toBe(true);
    const away = path.join(tempFolder(), "key");
    await hub.restart(() => {
      copyFileSync(keyFile, away);
      rmSync(keyFile);
      restore();
    });
    expect(await listed()).toMatchObject({ needsSecret: true });
    await order();
    await hub.restart(() => copyFileSync(away, keyFile));
    expect(await listed()).not.toHaveProperty("needsSecret");
    expect(isSignedWith(secret, (await receiver.count(3))[2]!)).toBe(true);
  });

  it("doctor reports webhook secrets that cannot be read [DB-38]", async () => {
    const file = path.join(tempFolder(), "hub.sqlite");
    const { db, cipher, close } = open(file);
    db.prepare(`
      INSERT INTO webhook_subscriptions (id, url, events, is_enabled, created_by, created_at, secret)
      VALUES ('ws_1', 'http://127.0.0.1:1/', '["*"]', 1, 'k1', 0, ?)`).run(cipher.encrypt("whsec_p", "ws_1"));
    close();
    const secretsOf = async () => {
      const { stdout } = await runHubToEnd(hubEnv(file), { args: ["doctor", "--json"] });
      const { findings } = JSON.parse(stdout) as { findings: { check: string; ok: boolean; detail: string }[] };
      return findings.find(({ check }) => check === "secrets");
    };
    const before = readdirSync(path.dirname(file));
    expect(await secretsOf()).toMatchObject({ ok: true });
    expect(readdirSync(path.dirname(file))).toEqual(before);
    renameSync(keyFileOf(file), `${keyFileOf(file)}.away`);
    expect(await secretsOf()).toMatchObject({ ok: false, detail: expect.stringContaining("1 webhook needs") });
    writeFileSync(keyFileOf(file), "nonsense");
    expect(await secretsOf()).toMatchObject({ ok: false, detail: expect.stringContaining(keyFileOf(file)) });
  });
});
