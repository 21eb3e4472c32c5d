// @module-tag long
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorStatus, externalRoutes, routeErrors, type ExternalRouteName, type HttpRoute } from "@comanda/protocol";
import { examples } from "../../build/openapi-examples.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";

const env = {
  HUB_ENABLED_PLUGINS: "board",
  HUB_EXTERNAL_RATE_MAX: "100000",
  HUB_EXTERNAL_KEY_RATE_MAX: "100000",
};
const routes = Object.entries(externalRoutes) as [ExternalRouteName, HttpRoute][];

/** Generates arbitrary JSON, typical mistakes and nearly valid bodies. */
function bodies(name: ExternalRouteName): fc.Arbitrary<unknown> {
  // Nothing listens at this address, so deliveries fail.
  const url = name === "createWebhook" ? { url: "http://127.0.0.1:1/" } : {};
  const good: Record<string, unknown> = { ...examples[name].body, ...url };
  const anything = fc.jsonValue({ maxDepth: 6 });
  const odd = fc.constantFrom<unknown>(
    null,
    "",
    0,
    -1,
    1e308,
    1e-9,
    2 ** 53,
    [],
    {},
    "__proto__",
    true,
    "\u0000",
    "\ud800",
    [[]],
    [null],
  );
  const nearly = fc
    .array(
      fc.tuple(
        fc.constantFrom(...Object.keys(good), "lines", "events", "key", "x", "constructor"),
        fc.oneof(anything, odd),
      ),
      { maxLength: 3 },
    )
    .map((changes) => ({ ...good, ...Object.fromEntries(changes) }));
  const partial = fc.subarray(Object.keys(good)).map((keys) => Object.fromEntries(keys.map((key) => [key, good[key]])));
  const deepLines = fc.array(fc.oneof(anything, odd), { maxLength: 3 }).map((lines) => ({ ...good, lines }));
  return fc.oneof(anything, nearly, partial, deepLines, fc.constant(good));
}

const segments = fc.oneof(
  fc.string({ maxLength: 40 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom(
    "x",
    "%2F",
    "%252F",
    "..",
    "%2e%2e",
    "%00",
    "%",
    "%zz",
    "a%2Fb",
    "'",
    "EXT%2Fx%2Fy",
    "__proto__",
    "%F0%9F%A5%9F",
  ),
);

/** Reads all state that a request could have changed. */
async function stateOf(hub: TestHub, peer: () => string): Promise<unknown> {
  const external = hub.external();
  const manager = { Authorization: `Bearer ${await hub.signIn("manager")}` };
  const answers = await Promise.all([
    external.get("/orders?status=all"),
    external.get("/tables"),
    external.get("/webhooks"),
    external.get("/plugins/board/events"),
    hub.send("GET", "/external-keys", { headers: manager, localAddress: peer() }),
  ]);
  for (const { status } of answers) expect(status).toBe(200);
  const [orders, tables, webhooks, records, keys] = answers.map(({ body }) => body);
  const named = keys.keys.map((key: Record<string, unknown>) => ({ ...key, lastUsedAt: null }));
  return [orders, tables, webhooks, records, named];
}

describe("random requests ", () => {
  it(
    "a random request gets a documented answer and changes nothing unless it is 2xx [EXT-12]",
    { timeout: 120_000 },
    async () => {
      const hub = await startTestHub({ env });
      const { token } = await hub.createKey();
      const manager = `Bearer ${await hub.signIn("manager")}`;
      let requests = 0;
      // Each request uses another address, so no budget is used up.
      const peer = (): string => `127.${1 + ((requests += 1) >> 14)}.${(requests >> 7) & 127}.${1 + (requests & 127)}`;
      let before = await stateOf(hub, peer);
      const outcomes = new Set<string>();
      for (const [name, route] of routes) {
        const documented = Map.groupBy(routeErrors(route), (code) => errorStatus[code] as number);
        await fc.assert(
          fc.asyncProperty(bodies(name), fc.array(segments, { minLength: 3, maxLength: 3 }), async (body, parts) => {
            let next = 0;
            const path = route.path.replaceAll(/:(\w+)/g, (_, part: string) =>
              part === "pluginId" ? "board" : (parts[next++] ?? "x"),
            );
            const headers = route.access === "manager" ? { Authorization: manager } : { "X-Api-Key": token };
            const query = name === "listOrders" ? `?status=${parts[0]}` : "";
            const answer = await hub.send(route.method, path + query, { headers, body, localAddress: peer() });
            // An empty or dot segment changes the path to one that does not exist.
            const isElsewhere = answer.status === 404 && answer.body.errorCode === "NOT_FOUND";
            outcomes.add(`${name} ${answer.status}`);
            if (answer.status < 300) {
              expect([route.status ?? 200, route.otherAnswer?.status]).toContain(answer.status);
              before = await stateOf(hub, peer);
              return;
            }
            expect(answer.status, JSON.stringify(answer.body)).not.toBe(500);
            if (!isElsewhere)
              expect(documented.get(answer.status), `${answer.status} of ${path}`).toContain(answer.body.errorCode);
            expect(answer.body.error).toBeTypeOf("string");
            expect(await stateOf(hub, peer)).toEqual(before);
          }),
          { numRuns: route.body === undefined ? 15 : 150 },
        );
      }
      for (const name of [
        "createKey 201",
        "createOrder 201",
        "createWebhook 201",
        "postPluginEvent 202",
        "createOrder 400",
      ]) {
        expect(outcomes).toContain(name);
      }
    },
  );
});
