import { HOUR_MS } from "@comanda/protocol";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWalker } from "../test/start-identity-provider.ts";
import { PASSWORD } from "../test/start-test-api.ts";
import {
  returnFromProvider,
  failed,
  signInByProvider,
  startOf,
  startWithProvider,
} from "../test/start-with-provider.ts";
import { createIdentityProvider } from "./identity-provider.ts";

describe("a provider that fails", () => {
  it("an unavailable provider is reported on the page and asked again next time, and passwords still work [HQ-117]", async () => {
    const both = await startWithProvider();
    const { api, provider } = both;
    onTestFinished(() => api.stop());
    await both.add({ login: "ana", email: "ana@cadena.example" });
    provider.accounts.set("a", { email: "ana@cadena.example", email_verified: true });
    expect(await signInByProvider(api, "a")).toMatchObject({ login: "ana" });
    const walker = createWalker();
    const callback = await walker.passProvider(await walker.next(startOf(api)), "a");
    await provider.stop();
    expect(await returnFromProvider(api, walker, callback)).toEqual(failed(api, "unreachable"));
    // The provider's metadata is cached for an hour, and longer while the provider is down.
    api.clock.advance(2 * HOUR_MS);
    expect(await createWalker().next(startOf(api))).toContain(provider.issuer);
    expect((await api.browser().post("/session", { login: "rosa", password: PASSWORD })).status).toBe(200);
  });

  it("a provider that never answers, or answers nothing readable, fails the sign-in as unreachable [HQ-117]", async () => {
    let answer: RequestListener = (_request, response) => void response.writeHead(500).end("<h1>mantenimiento</h1>");
    const server = createServer((request, response) => answer(request, response)).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const settings = { issuer, clientId: "c", clientSecret: null, name: "n", trustsEmail: false };
    const world = { now: Date.now, log: pino({ level: "silent" }) };
    const provider = createIdentityProvider({ ...settings, publicUrl: "http://127.0.0.1:8180/" }, world, 1);
    const endpoints = {
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    };
    const json = (value: unknown): RequestListener => {
      return (_request, response) =>
        void response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(value));
    };
    const answers: RequestListener[] = [
      answer,
      (_request, response) => void response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>hola</h1>"),
      (_request, response) => void response.writeHead(200, { "Content-Type": "application/json" }).end("{"),
      json({ ...endpoints, issuer: "https://example.com" }),
      json({ issuer }),
      () => undefined,
    ];
    for (const each of answers) {
      answer = each;
      await expect(provider.begin()).rejects.toMatchObject({ name: "ProviderFailure" });
    }
    answer = json({ ...endpoints, issuer });
    expect((await provider.begin()).url.href).toMatch(`${issuer}/auth?`);
  });
});
