import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../hub/test/support/free-port.ts";
import { startTestHub } from "../../hub/test/support/start-test-hub.ts";
import { createForwarder, isForHub } from "./forward-to-hub.ts";

const request = (path: string, init?: RequestInit) => new Request(`app://terminal${path}`, init);

/** Creates a forwarder to a hub or another server, and records the addresses it requested. */
function forwardTo(hubUrl: string | undefined) {
  const sent: string[] = [];
  const forward = createForwarder({
    hubUrl: () => hubUrl,
    fetch(address, options) {
      sent.push(address);
      return fetch(address, options);
    },
  });
  return { forward, sent };
}

it("the routes of the terminals' API are forwarded with their bodies, tokens and ETags [DESK-79]", async () => {
  const hub = await startTestHub();
  const { forward } = forwardTo(hub.url);
  const body = JSON.stringify({ login: "waiter", password: "waiter" });
  const headers = { "content-type": "application/json" };
  const signedIn = await forward(request("/terminal/v1/sign-in", { method: "POST", headers, body }));
  expect(signedIn.status).toBe(200);
  const { token } = (await signedIn.json()) as { token: string };
  const authorization = `Bearer ${token}`;
  const menu = await forward(request("/terminal/v1/menu", { headers: { authorization } }));
  expect(menu.status).toBe(200);
  const etag = menu.headers.get("etag") ?? "";
  const again = await forward(request("/terminal/v1/menu", { headers: { authorization, "if-none-match": etag } }));
  expect(again.status).toBe(304);
  const found = await forward(request("/terminal/v1/customers?q=a&limit=1", { headers: { authorization } }));
  expect(await found.json()).toMatchObject({ customers: expect.any(Array) as unknown });
  const refused = await forward(request("/terminal/v1/menu"));
  expect([refused.status, await refused.json()]).toMatchObject([401, { errorCode: "UNAUTHENTICATED" }]);
});

it("no other requests are forwarded [DESK-79]", async () => {
  const { forward, sent } = forwardTo("http://127.0.0.1:9");
  const others: [string, RequestInit?][] = [
    ["/terminal/v1/nothing"],
    ["/terminal/v1/menu/"],
    ["/terminal/v1/menu", { method: "POST", body: "{}" }],
    ["/terminal/v1/../../operator/v1/overview"],
    ["/terminal/v1/%2e%2e/%2e%2e/operator/v1/overview"],
    ["/terminal/v1//menu"],
  ];
  for (const [path, init] of others) expect((await forward(request(path, init))).status, path).toBe(404);
  expect(sent).toEqual([]);
  for (const path of ["/", "/health", "/operator/v1/overview", "/terminal/", "/assets/terminal/v1/menu"]) {
    expect(isForHub(`app://terminal${path}`), path).toBe(false);
  }
});

it("requests get 502 without a hub, with one that is unavailable, and for a redirect [DESK-79]", async () => {
  expect((await forwardTo(undefined).forward(request("/terminal/v1/floors"))).status).toBe(502);
  const away = `http://127.0.0.1:${await freePort()}`;
  const answer = await forwardTo(away).forward(request("/terminal/v1/floors"));
  expect([answer.status, await answer.text()]).toEqual([502, ""]);
  let visits = 0;
  const server = createServer((_request, response) => {
    visits += 1;
    response.writeHead(307, { location: "/elsewhere" }).end();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await forwardTo(url).forward(request("/terminal/v1/floors"))).status).toBe(502);
  expect(visits).toBe(1);
});
