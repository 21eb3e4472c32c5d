import { networkInterfaces } from "node:os";
import { expect, it } from "vitest";
import { createNetworkReach } from "../../operator/terminals/network-reach.ts";
import { createLog } from "../../platform/log.ts";
import { realWorld } from "../../platform/world.ts";
import { manualClock } from "../support/manual-clock.ts";
import { openStream, operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";

const phone = "192.168.77.5";

/** Starts a hub behind a proxy that names the requesting device. */
async function start(env: Record<string, string> = {}) {
  const hub = await startTestHub({ env: { HUB_NAME: "La <Terraza>", HUB_TRUST_PROXY: "127.0.0.1", ...env } });
  const reach = () => hub.hub.pairing().reach;
  const open = (code: string | undefined, from: string, method = "GET", language = "es-DO") =>
    fetch(`${hub.url}/pair?hub=x&name=y&code=${code ?? ""}`, {
      method,
      headers: { "X-Forwarded-For": from, "Accept-Language": language },
    });
  return { hub, reach, open };
}

it("a phone that opens the pairing code counts as reaching the hub, and gets a plain page [OP-181]", async () => {
  const { hub, reach, open } = await start();
  expect(reach()).toEqual({ code: expect.stringMatching(/^[\w-]{12}$/), reachedAt: null });
  const page = await open(reach()?.code, phone);
  const text = await page.text();
  expect(page.status).toBe(200);
  expect(text).toContain("Su teléfono llega al hub de La &lt;Terraza&gt;");
  expect(text).toContain("La PC del hub ya lo sabe.");
  expect(text).toContain(`127.0.0.1:${hub.port}`);
  expect(reach()?.reachedAt).toMatch(/^\d{4}-/);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect(await (await open(reach()?.code, phone, "GET", "en-US")).text()).toContain("Your phone reaches the hub of");
});

it("the pairing page leads into the terminal app, under a new name for each device [TOUCH-165]", async () => {
  const { hub, reach } = await start();
  const openWith = async (userAgent: string, language: string) => {
    const headers = { "User-Agent": userAgent, "Accept-Language": language };
    return (await fetch(`${hub.url}/pair?code=${reach()?.code ?? ""}`, { headers })).text();
  };
  const pages = [
    await openWith("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", "es-DO"),
    await openWith("Mozilla/5.0 (Linux; Android 14; Pixel 8) Mobile", "en-US"),
    await openWith("Mozilla/5.0 (Linux; Android 14; Pixel 8) Mobile", "es"),
    await openWith("curl/8", "es"),
  ];
  const links = pages.map((page) => /<a href="\/terminal\/\?name=([\w-]+)">([^<]+)<\/a>/.exec(page)?.slice(1));
  expect(links).toEqual([
    [expect.stringMatching(/^iphone-[\da-f]{6}$/), "Abrir Comanda en este dispositivo"],
    [expect.stringMatching(/^android-[\da-f]{6}$/), "Open Comanda on this device"],
    [expect.stringMatching(/^android-/), "Abrir Comanda en este dispositivo"],
    [expect.stringMatching(/^terminal-/), "Abrir Comanda en este dispositivo"],
  ]);
  expect(new Set(links.map((link) => link?.[0])).size).toBe(4);
  expect(pages.join("")).not.toContain("<script");
});

it("another code, this machine and a HEAD request do not count as a phone [OP-181]", async () => {
  const { reach, open } = await start();
  const own = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? []);
  const code = reach()?.code;
  expect(await (await open("AAAAAAAAAAAA", phone)).text()).toContain("Este código es de antes");
  for (const address of ["127.0.0.1", ...own.filter((each) => !each.includes("%"))]) await open(code, address);
  await open(code, phone, "HEAD");
  expect(reach()).toEqual({ code, reachedAt: null });
});

it("only a manager gets the pairing code, and screens are notified when it was used [OP-181]", async () => {
  const { hub, reach, open } = await start();
  const call = operatorOf(hub);
  expect((await call("pairing", { token: null })).body.reach).toBe(null);
  expect((await call("pairing")).body.reach).toEqual(reach());
  const stream = await openStream(hub);
  await stream.next("hello");
  await open(reach()?.code, phone);
  await stream.changed("pairing");
  expect((await call("pairing")).body.reach.reachedAt).not.toBe(null);
});

it("an old pairing code is replaced, and a phone's visit is forgotten after a while [OP-181]", () => {
  const clock = manualClock();
  let notifications = 0;
  const reach = createNetworkReach({ ...realWorld(createLog("silent")), ...clock.world }, () => (notifications += 1));
  const first = reach.read().code;
  clock.advance(14 * 60_000);
  expect(reach.visit(first, phone)).toBe(true);
  expect(reach.visit(first, "192.168.77.6")).toBe(true);
  expect(notifications).toBe(1);
  clock.advance(14 * 60_000);
  expect(reach.read()).toEqual({ code: first, reachedAt: "2026-11-20T12:14:00.000Z" });
  clock.advance(2 * 60_000);
  const second = reach.read();
  expect(second).toEqual({ code: expect.not.stringMatching(first), reachedAt: null });
  expect(reach.visit(first, phone)).toBe(false);
});
