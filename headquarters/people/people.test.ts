import { DAY_MS } from "@comanda/protocol";
import { execFile } from "node:child_process";
import { scryptSync } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../db/open.ts";
import { testFolder } from "../test/test-folder.ts";
import { addOwner } from "./add-owner.ts";
import { createPeople } from "./people.ts";
import { createSetupCode } from "./setup-code.ts";
import { PASSWORD, signInAs, signInOwner, startTestApi, type TestApi } from "../test/start-test-api.ts";

const main = path.resolve(import.meta.dirname, "../main.ts");

describe("people of headquarters", () => {
  let api: TestApi;
  let owner: Awaited<ReturnType<typeof signInOwner>>;
  beforeAll(async () => {
    api = await startTestApi();
    owner = await signInOwner(api);
  });
  afterAll(() => api.stop());

  it("a session is in a cookie closed to scripts and other sites, and only digests of tokens and passwords are stored [HQ-101]", async () => {
    const browser = api.browser();
    const { setCookie } = await browser.post("/session", { login: " ROSA ", password: PASSWORD });
    expect(setCookie).toMatch(/^hq_session=[\w-]{43}; path=\/; samesite=strict; httponly$/);
    const secure = await browser.call(
      "POST",
      "/session",
      { login: "rosa", password: PASSWORD },
      { "X-Forwarded-Proto": "https" },
    );
    expect(secure.setCookie).toMatch(/; secure; httponly$/);
    const stored = JSON.stringify([
      await api.database.query("SELECT * FROM sessions"),
      await api.database.query("SELECT * FROM people"),
      await api.database.query("SELECT * FROM audit"),
    ]);
    expect(stored).not.toContain(PASSWORD);
    expect(stored).not.toContain(browser.cookie().split("=")[1]);
  });

  it("a session ends at sign-out and 12 hours after it was last used [HQ-102]", async () => {
    const browser = api.browser();
    const other = api.browser();
    for (const each of [browser, other]) await each.post("/session", { login: "rosa", password: PASSWORD });
    const token = browser.cookie();
    await browser.call("DELETE", "/session");
    const stolen = await fetch(`${api.origin}/hq/v1/people`, { headers: { Cookie: token } });
    expect(stolen.status).toBe(401);
    api.clock.advance(11 * 3_600_000);
    expect((await other.get("/people")).status).toBe(200);
    api.clock.advance(11 * 3_600_000);
    expect((await other.get("/people")).status).toBe(200);
    api.clock.advance(12 * 3_600_000);
    expect(await other.get("/people")).toMatchObject({ status: 401, body: { errorCode: "UNAUTHENTICATED" } });
    await owner.post("/session", { login: "rosa", password: PASSWORD });
  });

  it("a wrong password and an unknown login get the same answer, and ten wrong ones block further attempts from there [HQ-103, HQ-620]", async () => {
    await signInAs(api, owner, { login: "pedro", role: "operations" });
    const browser = api.browser();
    const wrong = await browser.post("/session", { login: "pedro", password: "no es esta" });
    expect(wrong).toMatchObject({ status: 401, body: { errorCode: "UNAUTHENTICATED" } });
    expect((await browser.post("/session", { login: "nadie", password: "no es esta" })).body).toEqual(wrong.body);
    const more = Array.from({ length: 9 }, () => browser.post("/session", { login: "pedro", password: "tampoco" }));
    await Promise.all(more);
    const right = { login: "pedro", password: PASSWORD };
    expect(await browser.post("/session", right)).toMatchObject({ status: 429, body: { errorCode: "TOO_MANY_TRIES" } });
    // Other people can sign in meanwhile.
    expect((await browser.post("/session", { login: "rosa", password: PASSWORD })).status).toBe(200);
    // The same person can sign in elsewhere, and there after a quarter of an hour.
    const elsewhere = { "X-Forwarded-For": "10.0.0.7" };
    expect((await api.browser().call("POST", "/session", right, elsewhere)).status).toBe(200);
    api.clock.advance(15 * 60_000 + 1);
    expect((await browser.post("/session", right)).status).toBe(200);
  });

  /** Stores a person's password at a cost at which a hundred guesses take no time. */
  async function makeCheap(login: string): Promise<void> {
    const salt = Buffer.alloc(16);
    const key = scryptSync(PASSWORD, salt, 32, { N: 1_024, r: 1, p: 1 });
    const digest = [1_024, 1, 1, salt.toString("base64url"), key.toString("base64url")].join(".");
    await api.database.query("UPDATE people SET password = $1 WHERE login = $2", [digest, login]);
  }

  it("strangers at many networks lock a login for other strangers, and not where its person has signed in before [HQ-620, HQ-621]", async () => {
    await signInAs(api, owner, { login: "marta", role: "operations" });
    await makeCheap("marta");
    const signIn = async (password: string, address: string): Promise<number> => {
      const from = { "X-Forwarded-For": address };
      return (await api.browser().call("POST", "/session", { login: "marta", password }, from)).status;
    };
    const known = "2001:db8:0:1:a::1";
    expect(await signIn(PASSWORD, known)).toBe(200);
    for (let network = 0; network < 10; network += 1) {
      const guesses = Array.from({ length: 12 }, (_, n) => signIn("no es esta", `2001:db8:${network + 1}::${n + 1}`));
      const statuses = await Promise.all(guesses);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    }
    expect(await signIn(PASSWORD, "10.0.0.8")).toBe(429);
    expect(await signIn(PASSWORD, "2001:db8:0:1:b::2")).toBe(200);
    expect(await signIn(PASSWORD, "127.0.0.1")).toBe(200);
    api.clock.advance(15 * 60_000 + 1);
    expect(await signIn(PASSWORD, "10.0.0.8")).toBe(200);
    await owner.post("/session", { login: "rosa", password: PASSWORD });
  });

  it("requests from another origin, and bodies that a form can send, are refused [HQ-104]", async () => {
    const body = { login: "rosa", password: PASSWORD };
    const foreign = await api.browser().call("POST", "/session", body, { Origin: "http://example.com" });
    expect(foreign).toMatchObject({ status: 403, body: { errorCode: "FORBIDDEN" } });
    expect((await api.browser().call("POST", "/session", body, { Origin: api.origin })).status).toBe(200);
    const form = await api.browser().call("POST", "/session", body, { "Content-Type": "text/plain" });
    expect(form).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
  });

  it("only owners see and change people, and requests without a session get nothing [HQ-105]", async () => {
    const operations = await signInAs(api, owner, { login: "olga", role: "operations" });
    expect(await operations.get("/people")).toMatchObject({ status: 403, body: { errorCode: "FORBIDDEN" } });
    expect((await operations.get("/audit")).status).toBe(403);
    expect((await operations.get("/groups")).status).toBe(200);
    for (const path of ["/people", "/now", "/alerts", "/groups", "/restaurants/r0001", "/events"]) {
      expect(await api.browser().get(path)).toMatchObject({ status: 401, body: { errorCode: "UNAUTHENTICATED" } });
    }
  });

  it("changing a person signs them out, and inactive people and former passwords are not accepted [HQ-106]", async () => {
    const ana = await signInAs(api, owner, { login: "ana", role: "operations" });
    const { people } = (await owner.get("/people")).body;
    const { id } = people.find((each: { login: string }) => each.login === "ana");
    const changed = await owner.patch(`/people/${id}`, { password: "otra clave larga" });
    expect(changed).toMatchObject({ status: 200, body: { login: "ana", role: "operations", isActive: true } });
    expect((await ana.get("/groups")).status).toBe(401);
    expect((await ana.post("/session", { login: "ana", password: PASSWORD })).status).toBe(401);
    expect((await ana.post("/session", { login: "ana", password: "otra clave larga" })).status).toBe(200);
    await owner.patch(`/people/${id}`, { isActive: false });
    expect((await ana.get("/groups")).status).toBe(401);
    expect((await ana.post("/session", { login: "ana", password: "otra clave larga" })).status).toBe(401);
    const twice = { login: "ANA", name: "Otra", role: "operations", password: PASSWORD };
    expect(await owner.post("/people", twice)).toMatchObject({ status: 409, body: { errorCode: "CONFLICT" } });
  });

  it("no change removes the last active owner [HQ-107]", async () => {
    const { people } = (await owner.get("/people")).body;
    const { id } = people.find((each: { login: string }) => each.login === "rosa");
    for (const change of [{ isActive: false }, { role: "operations" }]) {
      expect(await owner.patch(`/people/${id}`, change)).toMatchObject({
        status: 409,
        body: { errorCode: "CONFLICT" },
      });
    }
    expect((await owner.get("/people")).status).toBe(200);
  });

  it("support access ends by itself within 30 days, and a region needs groups [HQ-108]", async () => {
    const expiresAt = new Date(api.clock.now() + DAY_MS).toISOString();
    const support = await signInAs(api, owner, { login: "soporte", role: "support", expiresAt });
    expect((await support.get("/groups")).status).toBe(200);
    api.clock.advance(DAY_MS);
    expect((await support.get("/groups")).status).toBe(401);
    expect((await support.post("/session", { login: "soporte", password: PASSWORD })).status).toBe(401);
    await owner.post("/session", { login: "rosa", password: PASSWORD });
    const person = { name: "X", password: PASSWORD };
    const tooLong = new Date(api.clock.now() + 31 * DAY_MS).toISOString();
    for (const unsound of [
      { login: "a", role: "support" },
      { login: "b", role: "support", expiresAt: tooLong },
      { login: "c", role: "region" },
      { login: "d", role: "operations", expiresAt },
    ]) {
      expect(await owner.post("/people", { ...person, ...unsound })).toMatchObject({
        status: 400,
        body: { errorCode: "VALIDATION_ERROR" },
      });
    }
  });

  it("only a browser that was signed in learns that its support access has ended [HQ-270]", async () => {
    const expiresAt = new Date(api.clock.now() + 3_600_000).toISOString();
    const support = await signInAs(api, owner, { login: "apoyo", role: "support", expiresAt });
    expect((await support.get("/session")).body).not.toHaveProperty("endedAt");
    api.clock.advance(3_600_000);
    expect((await support.get("/session")).body).toMatchObject({ state: "out", endedAt: expiresAt });
    const stranger = api.browser();
    await stranger.post("/session", { login: "apoyo", password: PASSWORD });
    expect((await stranger.get("/session")).body).not.toHaveProperty("endedAt");
    const { people } = (await owner.get("/people")).body;
    const { id } = people.find((each: { login: string }) => each.login === "apoyo");
    await owner.patch(`/people/${id}`, { isActive: false });
    expect((await support.get("/session")).body).not.toHaveProperty("endedAt");
  });

  it("changing one's password needs the current one and ends all other sessions [HQ-109]", async () => {
    const here = await signInAs(api, owner, { login: "luis", role: "operations" });
    const elsewhere = api.browser();
    await elsewhere.post("/session", { login: "luis", password: PASSWORD });
    const wrong = await here.post("/session/password", { current: "no es esta", next: "mi nueva clave" });
    expect(wrong).toMatchObject({ status: 401 });
    const short = await here.post("/session/password", { current: PASSWORD, next: "corta" });
    expect(short).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
    expect((await here.post("/session/password", { current: PASSWORD, next: "mi nueva clave" })).status).toBe(200);
    expect((await here.get("/groups")).status).toBe(200);
    expect((await elsewhere.get("/groups")).status).toBe(401);
  });
});

it("the code in the log creates the first owner, once, and the session says until then that setup is needed [HQ-100]", async () => {
  const api = await startTestApi();
  onTestFinished(api.stop);
  const person = { login: "rosa", name: "Rosa Peña", password: PASSWORD };
  expect((await api.browser().get("/session")).body).toEqual({
    state: "setup",
    chainName: "La Cadena",
    provider: null,
  });
  expect(await api.browser().post("/setup", { code: "AAAA-BBBB-CCCC", ...person })).toMatchObject({ status: 401 });
  const made = await api.browser().post("/setup", { code: api.setupCode.toLowerCase(), ...person });
  expect(made).toMatchObject({ status: 201, body: { state: "in", person: { login: "rosa", role: "owner" } } });
  const again = { ...person, login: "otra", code: api.setupCode };
  expect(await api.browser().post("/setup", again)).toMatchObject({
    status: 409,
    body: { errorCode: "CONFLICT" },
  });
  expect((await api.browser().get("/session")).body).toEqual({
    state: "out",
    chainName: "La Cadena",
    provider: null,
  });
});

it("the audit log says who changed what [HQ-110]", async () => {
  const api = await startTestApi();
  onTestFinished(api.stop);
  const owner = await signInOwner(api);
  const luis = await signInAs(api, owner, { login: "luis", role: "operations" });
  await luis.post("/session/password", { current: PASSWORD, next: "mi nueva clave" });
  const { people } = (await owner.get("/people")).body;
  const { id } = people.find(({ login }: { login: string }) => login === "luis");
  await owner.patch(`/people/${id}`, { isActive: false });
  const { entries } = (await owner.get("/audit")).body;
  const actions = entries.map(({ person, action }: { person: string; action: string }) => `${person} ${action}`);
  expect(actions).toEqual([
    "rosa person.changed",
    "luis person.password",
    "luis session.begun",
    "rosa person.added",
    "rosa session.begun",
    "setup person.added",
  ]);
});

it("the add-owner command prints a new password with which a person can sign in as owner again [HQ-111]", async () => {
  const folder = await testFolder();
  const database = await openDatabase({ url: null, dataDir: folder });
  const before = await addOwner(database, "rosa", Date.now());
  await database.close();
  const env = { ...process.env, HQ_DATA_DIR: folder };
  const { stdout } = await promisify(execFile)(process.execPath, [main, "add-owner", " Rosa "], { env });
  const again = await openDatabase({ url: null, dataDir: folder });
  const people = createPeople({ database: again, now: Date.now, setupCode: createSetupCode(), hasProvider: false });
  await expect(people.signIn("rosa", before, "::1")).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  const caller = await people.callerOf(await people.signIn("rosa", stdout.trim(), "::1"));
  expect(caller).toMatchObject({ login: "rosa", role: "owner" });
  expect(await people.list()).toHaveLength(1);
  await again.close();
}, 90_000);
