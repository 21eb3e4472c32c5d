import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TerminalHub } from "@comanda/protocol";
import type { FoundHub } from "@comanda/terminal/node";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../hub/test/support/free-port.ts";
import { startTestHub, type TestHub } from "../../hub/test/support/start-test-hub.ts";
import { addressesOf, createHubFinder } from "./hub-finder.ts";

const identityOf = async (hub: TestHub) =>
  (await hub.send("GET", "/terminal/v1/hub")).body as { hubId: string; name: string };

/** Creates a finder with its memory. `announced` returns what the network announces. */
function start(first: TerminalHub | null = null, announced: () => Promise<FoundHub[]> = () => Promise.resolve([])) {
  const memory = { hub: first, searches: 0 };
  const finder = createHubFinder({
    remembered: () => memory.hub,
    remember: (hub) => void (memory.hub = hub),
    fetch: (address, options) => fetch(address, options),
    discover() {
      memory.searches += 1;
      return announced();
    },
    log: { info: () => undefined, warn: () => undefined },
  });
  return { finder, memory };
}

const announcement = (id: string, ...urls: string[]): FoundHub => ({
  id,
  name: "Caja",
  version: "1",
  protocol: 1,
  urls,
});

it("the hub that answers at a typed address is remembered [DESK-82]", async () => {
  const hub = await startTestHub({ env: { HUB_NAME: "La Terraza" } });
  const { hubId } = await identityOf(hub);
  const { finder, memory } = start();
  const chosen = { id: hubId, name: "La Terraza", url: hub.url };
  expect(await finder.choose(` 127.0.0.1:${hub.port} `)).toEqual({ ok: true, hub: chosen });
  expect(memory.hub).toEqual(chosen);
});

it("no hub is remembered if none answers, and the reason is given [DESK-82]", async () => {
  const server = createServer((_request, response) => void response.end("hello")).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { finder, memory } = start();
  const other = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await finder.choose(other)).toEqual({ ok: false, reason: "not_a_hub" });
  expect(await finder.choose(`127.0.0.1:${await freePort()}`)).toEqual({ ok: false, reason: "unreachable" });
  expect(await finder.choose("la caja")).toEqual({ ok: false, reason: "not_an_address" });
  expect(memory.hub).toBeNull();
});

it("hubs on the network are listed with the address that answers, including those that do not answer [DESK-82]", async () => {
  const hub = await startTestHub();
  const { hubId } = await identityOf(hub);
  const away = `ws://127.0.0.1:${await freePort()}`;
  const here = `ws://127.0.0.1:${hub.port}`;
  const { finder } = start(null, () =>
    Promise.resolve([announcement(hubId, away, here), announcement("b", away), announcement("c", here)]),
  );
  expect(await finder.find()).toMatchObject([
    { id: hubId, url: hub.url },
    { id: "b", name: "Caja", url: away.replace("ws", "http") },
    // An outdated announcement: another hub has this address now.
    { id: "c", name: "Caja", url: hub.url },
  ]);
  const deaf = start(null, () => Promise.reject(new Error("multicast is not allowed")));
  expect(await deaf.finder.find()).toEqual([]);
});

it("a hub with another address is looked for on the network, and the new address is remembered [DESK-82]", async () => {
  const hub = await startTestHub();
  const { hubId, name } = await identityOf(hub);
  const old = `http://127.0.0.1:${await freePort()}`;
  const { finder, memory } = start({ id: hubId, name, url: old }, () =>
    Promise.resolve([
      announcement("other", old.replace("http", "ws")),
      announcement(hubId, `ws://127.0.0.1:${hub.port}`),
    ]),
  );
  expect(await finder.locate()).toBe(hub.url);
  expect(memory).toEqual({ hub: { id: hubId, name, url: hub.url }, searches: 1 });
  expect(await finder.locate()).toBe(hub.url);
  expect(memory.searches).toBe(1);
});

it("a hub that a person chooses stays chosen while the former one is looked for [DESK-82]", async () => {
  const hub = await startTestHub();
  const { hubId } = await identityOf(hub);
  const away = { id: "former", name: "Caja", url: `http://127.0.0.1:${await freePort()}` };
  const moved = `ws://127.0.0.1:${await freePort()}`;
  const { finder, memory } = start(away, async () => {
    await finder.choose(hub.url);
    return [announcement("former", moved)];
  });
  expect(await finder.locate()).toBe(hub.url);
  expect(memory.hub).toMatchObject({ id: hubId, url: hub.url });
});

it("the last address stays while its hub is unavailable, and another hub at that address is not used [DESK-82]", async () => {
  const hub = await startTestHub();
  const away = { id: "mine", name: "Caja", url: `http://127.0.0.1:${await freePort()}` };
  expect(await start(away).finder.locate()).toBe(away.url);
  const occupied = start({ ...away, url: hub.url });
  await expect(occupied.finder.locate()).rejects.toThrow(`another hub answers at ${hub.url}`);
  expect(occupied.memory.hub).toEqual({ ...away, url: hub.url });
  await expect(start().finder.locate()).rejects.toThrow("no hub was chosen yet");
});

it("addresses are accepted as people type them [DESK-82]", () => {
  expect(addressesOf("192.168.1.10")).toEqual(["http://192.168.1.10:8766", "http://192.168.1.10"]);
  expect(addressesOf("caja.local:9000")).toEqual(["http://caja.local:9000"]);
  expect(addressesOf(" http://192.168.1.10:8766/terminal/?name=x ")).toEqual(["http://192.168.1.10:8766"]);
  expect(addressesOf("[fe00::1]:8766")).toEqual(["http://[fe00::1]:8766"]);
  for (const text of ["", "la caja", "http://", "a:b:c", "user@caja", "caja:99999"])
    expect(addressesOf(text)).toEqual([]);
});
