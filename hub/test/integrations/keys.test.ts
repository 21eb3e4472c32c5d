import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { backUp } from "../data-file/restore-steps.ts";
import { manualClock } from "../support/manual-clock.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";

const sqlTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const lastUsed = async (hub: TestHub): Promise<string | null> => (await hub.admin().get("")).body.keys[0].lastUsedAt;

describe("key administration", () => {
  it("a created key's secret is stored nowhere [KEY-1][KEY-2]", async () => {
    const hub = await startTestHub();
    const { status, body } = await hub.admin().post("", { label: "Webshop", scopes: ["read"] });
    expect(status).toBe(201);
    expect(Object.keys(body).toSorted()).toEqual(["keyId", "token"]);
    const [prefix, keyId, secret = "", ...more] = body.token.split("_");
    expect([prefix, keyId, more]).toEqual(["hub", body.keyId, []]);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    await hub.external(body.token).get("/session");
    await hub.restart();
    const files = ["", "-wal"].map((suffix) => readFileSync(hub.dbPath + suffix, "latin1")).join("");
    expect(files).toContain(keyId);
    expect(files).not.toContain(secret);
    expect((await hub.external(body.token).get("/session")).status).toBe(200);
    const again = await hub.admin().post("", { label: "Webshop", scopes: ["read"] });
    expect(again.body.token).not.toBe(body.token);
  });

  it("keys are listed without their tokens [KEY-3]", async () => {
    const hub = await startTestHub();
    expect((await hub.admin().get("")).body).toEqual({ keys: [] });
    const { keyId } = await hub.createKey(["read", "plugins:write"], "Board");
    expect((await hub.admin().get("")).body).toEqual({
      keys: [
        {
          keyId,
          label: "Board",
          scopes: ["read", "plugins:write"],
          enabled: true,
          createdAt: expect.stringMatching(sqlTime),
          lastUsedAt: null,
        },
      ],
    });
  });

  it("a body that does not describe a key or a change of one is refused [KEY-4]", async () => {
    const hub = await startTestHub();
    const admin = hub.admin();
    const good = { label: "x", scopes: ["read"] };
    const bad: [Record<string, unknown>, string][] = [
      [{ ...good, label: "" }, "label"],
      [{ ...good, label: "x".repeat(121) }, "label"],
      [{ ...good, label: 1 }, "label"],
      [{ scopes: ["read"] }, "label"],
      [{ ...good, scopes: [] }, "scopes"],
      [{ ...good, scopes: ["read", "read"] }, "scopes"],
      [{ ...good, scopes: ["admin"] }, "scopes"],
      [{ label: "x" }, "scopes"],
      [{ ...good, enabled: true }, "enabled"],
    ];
    for (const [body, named] of bad) {
      const answer = await admin.post("", body);
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
      expect(answer.body.error).toContain(named);
    }
    expect((await admin.get("")).body.keys).toEqual([]);
    expect((await admin.post("", { ...good, label: "x".repeat(120) })).status).toBe(201);
    const { keyId } = await hub.createKey();
    for (const body of [{}, { enabled: "false" }, { enabled: false, label: "y" }, { enabled: null }]) {
      expect((await admin.patch(`/${keyId}`, body)).body.errorCode, JSON.stringify(body)).toBe("VALIDATION_ERROR");
    }
    expect((await admin.post("", `{"label":"x"}${" ".repeat(262_144)}`)).status).toBe(413);
  });

  it("a key is disabled, enabled and deleted with effect at the next request [KEY-5][KEY-6][KEY-7]", async () => {
    const hub = await startTestHub();
    const admin = hub.admin();
    const { keyId, token } = await hub.createKey();
    const statusOf = async () => (await hub.external(token).get("/tables")).status;
    expect(await statusOf()).toBe(200);
    expect(await admin.patch(`/${keyId}`, { enabled: false })).toMatchObject({
      status: 200,
      body: { keyId, enabled: false },
    });
    expect(await hub.external(token).get("/tables")).toMatchObject({
      status: 401,
      body: { errorCode: "UNAUTHENTICATED" },
    });
    expect((await admin.get("")).body.keys[0].enabled).toBe(false);
    expect((await admin.patch(`/${keyId}`, { enabled: true })).body).toEqual({ keyId, enabled: true });
    expect(await statusOf()).toBe(200);
    expect(await admin.delete(`/${keyId}`)).toMatchObject({ status: 200, body: { deleted: true } });
    expect(await statusOf()).toBe(401);
    expect((await admin.get("")).body).toEqual({ keys: [] });
    const unknown = { status: 404, body: { errorCode: "NOT_FOUND" } };
    expect(await admin.patch(`/${keyId}`, { enabled: true })).toMatchObject(unknown);
    expect(await admin.delete(`/${keyId}`)).toMatchObject(unknown);
  });

  it("only managers may administer keys [KEY-8]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const { token } = await hub.createKey();
    const codeOf = async (sessionToken: string | null): Promise<[number, string]> => {
      const { status, body } = await hub.admin(sessionToken).get("");
      return [status, body.errorCode];
    };
    for (const invalid of [null, "dead-token", token, "a b"])
      expect(await codeOf(invalid)).toEqual([401, "UNAUTHENTICATED"]);
    for (const login of ["waiter", "cashier"])
      expect(await codeOf(await hub.signIn(login))).toEqual([403, "FORBIDDEN"]);
    expect((await hub.admin(await hub.signIn("clerk")).get("")).status).toBe(200);
    expect((await hub.send("GET", "/external-keys", { headers: { "X-Api-Key": token } })).status).toBe(401);
    await hub.backOffice.kill();
    for (const unverified of ["never-seen", await hub.signIn("manager")]) {
      expect(await codeOf(unverified)).toEqual([503, "UPSTREAM_UNAVAILABLE"]);
    }
  });

  it("a session is refused as soon as the back-office has ended it [KEY-9]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    expect((await hub.admin().get("")).status).toBe(200);
    await hub.backOffice.control("DELETE", "/user-sessions");
    expect((await hub.admin().get("")).status).toBe(401);
    await hub.backOffice.kill();
    expect((await hub.admin().get("")).status).toBe(503);
  });

  it("a peer may make 30 key administration requests a minute, checked before the token [KEY-10]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const statusOf = async (localAddress = "127.0.0.2") =>
      (await hub.send("GET", "/external-keys", { localAddress })).status;
    for (let n = 0; n < 30; n += 1) expect(await statusOf()).toBe(401);
    expect(await statusOf()).toBe(429);
    expect(await statusOf("127.0.0.3")).toBe(401);
    expect((await hub.send("GET", "/external/v1/session", { localAddress: "127.0.0.2" })).status).toBe(401);
    clock.advance(59_999);
    expect(await statusOf()).toBe(429);
    clock.advance(1);
    expect(await statusOf()).toBe(401);
  });

  it("key administration has the integrations' lower limit, counted separately [KEY-10]", async () => {
    const hub = await startTestHub({ env: { HUB_EXTERNAL_RATE_MAX: "2" } });
    const statusOf = async (path: string) => (await hub.send("GET", path, { localAddress: "127.0.0.2" })).status;
    for (const path of ["/external/v1/session", "/external-keys"]) {
      expect(await statusOf(path)).toBe(401);
      expect(await statusOf(path)).toBe(401);
      expect(await statusOf(path)).toBe(429);
    }
  });

  it("a key's last use is reported, updated once a minute [KEY-11]", async () => {
    const clock = manualClock(Date.parse("2026-11-20T12:00:00Z"));
    const hub = await startTestHub({ world: clock.world });
    const { token } = await hub.createKey();
    const use = () => hub.external(token).get("/tables");
    expect(await lastUsed(hub)).toBeNull();
    await use();
    expect(await lastUsed(hub)).toBe("2026-11-20 12:00:00");
    clock.advance(59_999);
    await use();
    expect(await lastUsed(hub)).toBe("2026-11-20 12:00:00");
    clock.advance(1);
    await use();
    expect(await lastUsed(hub)).toBe("2026-11-20 12:01:00");
    await hub.restart();
    expect(await lastUsed(hub)).toBe("2026-11-20 12:01:00");
    clock.advance(59_999);
    await use();
    expect(await lastUsed(hub)).toBe("2026-11-20 12:01:00");
    clock.advance(1);
    await use();
    expect(await lastUsed(hub)).toBe("2026-11-20 12:02:00");
  });

  it("a key's reported last use is already stored [KEY-11]", async () => {
    const clock = manualClock(Date.parse("2026-11-20T12:00:00Z"));
    const hub = await startTestHub({ world: clock.world });
    const { token } = await hub.createKey();
    await hub.external(token).get("/tables");
    expect(await lastUsed(hub)).toBe("2026-11-20 12:00:00");
    const file = new Database(hub.dbPath, { readonly: true });
    onTestFinished(() => void file.close());
    const stored = file.prepare("SELECT last_used_at AS usedAt FROM external_keys").all();
    expect(stored).toEqual([{ usedAt: clock.world.clock.now() }]);
  });

  it("other addresses of key administration are answered with 404 [KEY-12]", async () => {
    const hub = await startTestHub();
    const headers = { Authorization: `Bearer ${await hub.signIn("manager")}` };
    for (const [method, path] of [
      ["PUT", ""],
      ["GET", "/x"],
      ["PATCH", ""],
      ["DELETE", "/"],
      ["DELETE", "/a/b"],
      ["OPTIONS", ""],
    ] as const) {
      const target = `/external-keys${path}`;
      expect(await hub.send(method, target, { headers }), target).toMatchObject({
        status: 404,
        body: { errorCode: "NOT_FOUND" },
      });
      expect((await hub.send(method, target)).status).toBe(401);
    }
    expect((await hub.admin().delete("/%zz")).body.errorCode).toBe("VALIDATION_ERROR");
  });

  it(
    "a restore keeps the latest state of keys and webhooks, and the audit entries of both [EXT-98, EXT-100, OP-568]",
    { tags: "long" },
    async () => {
      const hub = await startTestHub();
      const scopes = ["read", "webhooks:manage"] as const;
      const [unchanged, deleted, disabled] = [
        await hub.createKey([...scopes]),
        await hub.createKey([...scopes]),
        await hub.createKey([...scopes]),
      ];
      const api = hub.external(unchanged.token);
      const subscribe = async () => (await api.post("/webhooks", { url: "http://203.0.113.9/hook" })).body.id as string;
      const [running, ended] = [await subscribe(), await subscribe()];
      const restore = await backUp(hub);
      await hub.admin().delete(`/${deleted.keyId}`);
      await hub.admin().patch(`/${disabled.keyId}`, { enabled: false });
      const later = await hub.createKey([...scopes]);
      await api.delete(`/webhooks/${ended}`);
      const added = await subscribe();
      await restore();
      const statuses = [unchanged, deleted, disabled, later].map(async ({ token }) => {
        return (await hub.external(token).get("/session")).status;
      });
      expect(await Promise.all(statuses)).toEqual([200, 401, 401, 200]);
      expect((await api.get("/webhooks")).body.webhooks.map(({ id }: { id: string }) => id)).toEqual([running, added]);
      const { entries } = (await operatorOf(hub)("audit")).body as {
        entries: { action: string; target: string }[];
      };
      const about = [deleted, disabled, later, unchanged].map(({ keyId }) => keyId);
      const recorded = entries.filter(({ target }) => about.includes(target));
      expect(recorded.map(({ action }) => action)).toEqual([
        "key.create",
        "key.disable",
        "key.delete",
        "key.create",
        "key.create",
        "key.create",
      ]);
    },
  );
});
