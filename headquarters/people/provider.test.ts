import { MINUTE_MS, HOUR_MS } from "@comanda/protocol";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createWalker } from "../test/start-identity-provider.ts";
import { PASSWORD, signInOwner, startTestApi, type TestApi } from "../test/start-test-api.ts";
import {
  returnFromProvider,
  failed,
  signInByProvider,
  startOf,
  startWithProvider,
} from "../test/start-with-provider.ts";

type Both = Awaited<ReturnType<typeof startWithProvider>>;

async function auditOf(owner: ReturnType<TestApi["browser"]>, login: string): Promise<unknown[]> {
  const { entries } = (await owner.get("/audit")).body;
  return entries.filter((entry: { person: string }) => entry.person === login);
}

describe("sign-in by the identity provider", () => {
  let both: Both;
  let api: TestApi;
  let provider: Both["provider"];
  beforeAll(async () => {
    both = await startWithProvider();
    ({ api, provider } = both);
    await both.add({ login: "ana", password: PASSWORD, email: "Ana@Cadena.example" });
    provider.accounts.set("sub-ana", { email: "ana@cadena.example", email_verified: true });
  });
  afterAll(() => both.stop());

  it("a person signs in by the provider with code, PKCE, state and nonce, and passwords work as before [HQ-112]", async () => {
    expect((await api.browser().get("/session")).body).toEqual({
      state: "out",
      chainName: "La Cadena",
      provider: { name: "Correo", startUrl: startOf(api) },
    });
    const walker = createWalker();
    const start = await walker.visit(startOf(api));
    const there = new URL(start.headers.get("Location") ?? "");
    expect(Object.fromEntries(there.searchParams)).toMatchObject({
      client_id: "headquarters",
      response_type: "code",
      code_challenge_method: "S256",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${api.origin}/hq/v1/oidc/callback`,
    });
    expect(start.headers.get("Set-Cookie")).toMatch(
      /^hq_attempt=[\w.-]+; path=\/; expires=[^;]+; samesite=lax; httponly$/,
    );
    const callback = await walker.passProvider(there.href, "sub-ana");
    const back = await walker.visit(callback);
    expect(back.headers.get("Location")).toBe(`${api.origin}/`);
    expect(back.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(/^hq_session=[\w-]{43}; path=\/; samesite=strict; httponly$/),
    );
    const session = await (await walker.visit(`${api.origin}/hq/v1/session`)).json();
    expect(session).toMatchObject({ state: "in", person: { login: "ana", role: "operations", hasPassword: true } });
    expect((await api.browser().post("/session", { login: "ana", password: PASSWORD })).status).toBe(200);
  });

  it.for(["none", "client_secret_basic"] as const)(
    "sign-in works with an e-mail in the ID token and the client authentication %s [HQ-112]",
    { tags: "long" },
    async (authMethod) => {
      const other = await startWithProvider({ authMethod, hasClaimsInToken: true });
      onTestFinished(other.stop);
      await other.add({ login: "eva", email: "eva@cadena.example" });
      other.provider.accounts.set("e", { email: "eva@cadena.example", email_verified: true });
      expect(await signInByProvider(other.api, "e")).toMatchObject({ page: `${other.api.origin}/`, login: "eva" });
    },
  );

  it("an account is bound to a person at the first sign-in, whatever e-mail it or another account has later [HQ-113]", async () => {
    await both.add({ login: "beto", email: "beto@cadena.example" });
    provider.accounts.set("sub-beto", { email: "beto@cadena.example", email_verified: true });
    expect(await signInByProvider(api, "sub-beto")).toMatchObject({ login: "beto" });
    const { people } = (await both.owner.get("/people")).body;
    const beto = people.find(({ login }: { login: string }) => login === "beto");
    expect(beto).toMatchObject({ email: "beto@cadena.example", isBound: true, hasPassword: false });
    expect(await auditOf(both.owner, "beto")).toEqual([
      expect.objectContaining({
        action: "session.begun",
        detail: { address: "127.0.0.1", network: "127.0.0.1", provider: provider.issuer },
      }),
      expect.objectContaining({
        action: "person.bound",
        detail: { issuer: provider.issuer, subject: "sub-beto", email: "beto@cadena.example" },
      }),
    ]);

    provider.accounts.set("sub-beto", { email: "otro@cadena.example", email_verified: true });
    expect(await signInByProvider(api, "sub-beto")).toMatchObject({ login: "beto" });
    provider.accounts.set("sub-nuevo", { email: "beto@cadena.example", email_verified: true });
    expect(await signInByProvider(api, "sub-nuevo")).toMatchObject(failed(api, "unknown"));

    const changed = await both.owner.patch(`/people/${beto.id}`, { email: "beto.new@cadena.example" });
    expect(changed.body).toMatchObject({ email: "beto.new@cadena.example", isBound: false });
    expect(await signInByProvider(api, "sub-beto")).toMatchObject(failed(api, "unknown"));
    provider.accounts.set("sub-nuevo", { email: "beto.new@cadena.example", email_verified: true });
    expect(await signInByProvider(api, "sub-nuevo")).toMatchObject({ login: "beto" });

    provider.accounts.set("sub-third", { email: "beto.new@cadena.example", email_verified: true });
    expect(await signInByProvider(api, "sub-third")).toMatchObject(failed(api, "unknown"));
    expect((await both.owner.patch(`/people/${beto.id}`, { isBound: false })).body).toMatchObject({ isBound: false });
    expect(await signInByProvider(api, "sub-third")).toMatchObject({ login: "beto" });
  });

  it("unknown, inactive, expired and unverified accounts get no session, and nothing is created [HQ-114]", async () => {
    const expiresAt = new Date(api.clock.now() + HOUR_MS).toISOString();
    await both.add({ login: "carla", email: "carla@cadena.example", role: "support", expiresAt });
    const { id } = (await both.add({ login: "dario", email: "dario@cadena.example" })).body;
    await both.owner.patch(`/people/${id}`, { isActive: false });
    const before = await api.database.query("SELECT * FROM people ORDER BY id");
    provider.accounts.set("sub-x", { email: "x@example.com", email_verified: true });
    provider.accounts.set("sub-dario", { email: "dario@cadena.example", email_verified: true });
    for (const account of ["sub-x", "sub-dario"]) {
      expect(await signInByProvider(api, account)).toMatchObject(failed(api, "unknown"));
    }
    for (const claims of [
      {},
      { email: "carla@cadena.example" },
      { email: "carla@cadena.example", email_verified: false },
    ]) {
      provider.accounts.set("sub-carla", claims);
      expect(await signInByProvider(api, "sub-carla")).toMatchObject(failed(api, "unverified"));
    }
    // The Kelvin sign, whose lower case is k: two addresses that look alike are different.
    await both.add({ login: "kiko", email: "kiko@cadena.example" });
    provider.accounts.set("sub-kiko", { email: "\u212Aiko@cadena.example", email_verified: true });
    expect(await signInByProvider(api, "sub-kiko")).toMatchObject(failed(api, "unverified"));
    await api.database.query("DELETE FROM people WHERE login = 'kiko'");
    expect(await api.database.query("SELECT * FROM people ORDER BY id")).toEqual(before);

    provider.accounts.set("sub-carla", { email: "carla@cadena.example", email_verified: true });
    expect(await signInByProvider(api, "sub-carla")).toMatchObject({ login: "carla" });
    await api.database.query("UPDATE people SET expires_at = $1 WHERE login = 'carla'", [new Date(api.clock.now())]);
    expect(await signInByProvider(api, "sub-carla")).toMatchObject(failed(api, "unknown"));
  });

  it("an e-mail that the provider does not mark is accepted only if the settings trust it [HQ-114]", async () => {
    const other = await startWithProvider({}, { trustsEmail: true });
    onTestFinished(other.stop);
    await other.add({ login: "eva", email: "eva@cadena.example" });
    other.provider.accounts.set("e", { email: "eva@cadena.example", email_verified: false });
    expect(await signInByProvider(other.api, "e")).toMatchObject(failed(other.api, "unverified"));
    other.provider.accounts.set("e", { email: "eva@cadena.example" });
    expect(await signInByProvider(other.api, "e")).toMatchObject({ login: "eva" });
  });

  it("a sign-in attempt is valid once, for ten minutes, in the browser that began it [HQ-115]", async () => {
    const { walker, callback, login } = await signInByProvider(api, "sub-ana");
    expect(login).toBe("ana");
    // The same address again: in the browser that has the session, and in one with a copy of the attempt's cookie.
    expect(await walker.next(callback)).toBe(`${api.origin}/?signin=invalid`);
    const thief = createWalker();
    const first = await thief.passProvider(await thief.next(startOf(api)), "sub-ana");
    const copy = createWalker();
    for (const [host, cookies] of thief.jar) copy.jar.set(host, new Map(cookies));
    expect(await returnFromProvider(api, thief, first)).toMatchObject({ login: "ana" });
    expect(await returnFromProvider(api, copy, first)).toEqual(failed(api, "invalid"));

    const ana = createWalker();
    const address = await ana.passProvider(await ana.next(startOf(api)), "sub-ana");
    expect(await returnFromProvider(api, createWalker(), address)).toEqual(failed(api, "invalid"));
    const wrongState = new URL(address);
    wrongState.searchParams.set("state", "another");
    expect(await returnFromProvider(api, ana, wrongState.href)).toEqual(failed(api, "invalid"));

    const { headers } = await createWalker().visit(startOf(api));
    const cookie = headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^hq_attempt=[\w.-]+; path=\/; expires=[^;]+; samesite=lax; httponly$/);
    const keptMs = Date.parse(/expires=([^;]+)/.exec(cookie)?.[1] ?? "") - Date.now();
    expect(keptMs / MINUTE_MS).toBeGreaterThan(9);
    expect(keptMs / MINUTE_MS).toBeLessThanOrEqual(10);
  });

  it("a used code, another nonce, challenge or issuer, and a refusal by the provider begin no session [HQ-116]", async () => {
    const changes: Record<string, [on: "there" | "back", name: string, value: string]> = {
      nonce: ["there", "nonce", "another-nonce"],
      challenge: ["there", "code_challenge", "A".repeat(43)],
      issuer: ["back", "iss", "https://example.com"],
      code: ["back", "code", "another-code"],
    };
    for (const [what, [on, name, value]] of Object.entries(changes)) {
      const walker = createWalker();
      const there = new URL(await walker.next(startOf(api)));
      if (on === "there") there.searchParams.set(name, value);
      const back = new URL(await walker.passProvider(there.href, "sub-ana"));
      if (on === "back") back.searchParams.set(name, value);
      expect(await returnFromProvider(api, walker, back.href), what).toEqual(failed(api, "invalid"));
    }
    expect(await signInByProvider(api, null)).toMatchObject(failed(api, "denied"));

    // The used code of one browser in another browser's attempt.
    const { callback } = await signInByProvider(api, "sub-ana");
    const walker = createWalker();
    const back = new URL(await walker.passProvider(await walker.next(startOf(api)), "sub-ana"));
    back.searchParams.set("code", new URL(callback).searchParams.get("code") ?? "");
    expect(await returnFromProvider(api, walker, back.href)).toEqual(failed(api, "invalid"));
  });

  it("an ID token that is expired, altered or signed by another key is refused [HQ-116]", async () => {
    onTestFinished(() => void (provider.line.tamper = null));
    api.clock.advance(6 * MINUTE_MS);
    expect(await signInByProvider(api, "sub-ana")).toMatchObject(failed(api, "invalid"));
    api.clock.advance(-6 * MINUTE_MS);
    const parts = (token: string) => token.split(".") as [string, string, string];
    const changed = (body: string): string => {
      const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as object;
      return Buffer.from(JSON.stringify({ ...claims, sub: "sub-ana" })).toString("base64url");
    };
    provider.accounts.set("sub-thief", { email: "thief@example.com", email_verified: true });
    provider.line.tamper = (answer) => {
      const [head, body, signature] = parts(answer.id_token);
      answer.id_token = [head, changed(body), signature].join(".");
    };
    expect(await signInByProvider(api, "sub-thief")).toMatchObject({ login: null });
    provider.line.tamper = (answer) => {
      const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
      answer.id_token = [none, changed(parts(answer.id_token)[1]), ""].join(".");
    };
    expect(await signInByProvider(api, "sub-thief")).toMatchObject({ login: null });
    provider.line.tamper = null;
    expect(await signInByProvider(api, "sub-ana")).toMatchObject({ login: "ana" });
  });

  it("a session from the provider ends 12 hours after it began, even in use, and at sign-out [HQ-118]", async () => {
    const { walker } = await signInByProvider(api, "sub-ana");
    const status = async (): Promise<number> => (await walker.visit(`${api.origin}/hq/v1/groups`)).status;
    api.clock.advance(11 * HOUR_MS);
    expect(await status()).toBe(200);
    api.clock.advance(HOUR_MS);
    expect(await status()).toBe(401);
    api.clock.advance(-12 * HOUR_MS);

    const again = await signInByProvider(api, "sub-ana");
    const cookie = [...(again.walker.jar.get(new URL(api.origin).host) ?? [])].map((pair) => pair.join("=")).join("; ");
    await fetch(`${api.origin}/hq/v1/session`, { method: "DELETE", headers: { Cookie: cookie } });
    expect((await again.walker.visit(`${api.origin}/hq/v1/groups`)).status).toBe(401);
    // The provider's own session continues, so the provider does not ask again.
    const there = await again.walker.next(startOf(api));
    expect(await again.walker.next(there)).toContain("/hq/v1/oidc/callback?code=");
  });

  it("a person without a password needs an e-mail, which exists only once [HQ-119]", async () => {
    const refusal = { status: 400, body: { errorCode: "VALIDATION_ERROR" } };
    expect(await both.add({ login: "flor" })).toMatchObject(refusal);
    expect(await both.add({ login: "flor", email: "no es correo" })).toMatchObject(refusal);
    const { id } = (await both.add({ login: "flor", email: "FLOR@cadena.example" })).body;
    expect(await both.add({ login: "gil", email: "flor@cadena.example" })).toMatchObject({ status: 409 });
    expect(await both.owner.patch(`/people/${id}`, { email: null })).toMatchObject(refusal);
    expect(await api.browser().post("/session", { login: "flor", password: PASSWORD })).toMatchObject({ status: 401 });
    const withOne = await both.owner.patch(`/people/${id}`, { password: PASSWORD, email: null });
    expect(withOne).toMatchObject({ status: 200, body: { hasPassword: true, email: null } });
    expect(await both.owner.patch(`/people/${id}`, { password: null })).toMatchObject(refusal);
    const without = await both.owner.patch(`/people/${id}`, { password: null, email: "flor@cadena.example" });
    expect(without).toMatchObject({ status: 200, body: { hasPassword: false } });
    const { id: other } = (await both.add({ login: "gil", password: PASSWORD })).body;
    const conflict = await both.owner.patch(`/people/${other}`, { email: "flor@cadena.example" });
    expect(conflict).toMatchObject({ status: 409, body: { errorCode: "CONFLICT" } });
  });
});

it("every person needs a password if no provider is configured [HQ-119]", async () => {
  const api = await startTestApi();
  onTestFinished(api.stop);
  const owner = await signInOwner(api);
  const person = { login: "ana", name: "Ana", role: "operations", email: "ana@cadena.example" };
  expect(await owner.post("/people", person)).toMatchObject({ status: 400 });
  expect((await owner.get("/session")).body).toMatchObject({ provider: null });
  expect((await owner.get("/oidc/start")).status).toBe(404);
});
