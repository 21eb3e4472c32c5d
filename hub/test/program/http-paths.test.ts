import { describe, expect, it } from "vitest";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";

/** A request, its expected status, and the error code or order reference in the answer. */
type Row = readonly [method: string, path: string, status: number, expected?: string];

async function expectAnswers(hub: TestHub, prefix: string, headers: Record<string, string>, rows: readonly Row[]) {
  for (const [method, path, status, expected] of rows) {
    const answer = await hub.send(method, prefix + path, { headers });
    const { errorCode, posReference, order } = answer.body ?? {};
    const found = errorCode ?? posReference ?? order?.posReference;
    expect([method, path, answer.status, found]).toEqual([method, path, status, expected]);
  }
}

/** Starts a hub with orders whose references contain characters special in URLs. */
async function hubWithOrders(): Promise<TestHub> {
  const env = {
    HUB_ENABLED_PLUGINS: "board",
    HUB_EXTERNAL_RATE_MAX: "1000",
    HUB_EXTERNAL_KEY_RATE_MAX: "1000",
  };
  const hub = await startTestHub({ env });
  const terminal = await hub.terminal();
  const snapshot = { orderType: "takeout", lines: [] };
  for (const posReference of ["a+b", "a b", "a;b", "a/b", "A"]) {
    await terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
  }
  return hub;
}

const segments = (prefix: string): Row[] => [
  ["GET", `${prefix}/a+b`, 200, "a+b"],
  ["GET", `${prefix}/a%2Bb`, 200, "a+b"],
  ["GET", `${prefix}/a%20b`, 200, "a b"],
  ["GET", `${prefix}/a;b`, 200, "a;b"],
  ["GET", `${prefix}/a%2Fb`, 200, "a/b"],
  ["GET", `${prefix}/a%252Fb`, 404, "NOT_FOUND"],
  ["GET", `${prefix}/%41`, 200, "A"],
  ["GET", `${prefix}/a`, 404, "NOT_FOUND"],
  ["GET", `${prefix}/%00`, 404, "NOT_FOUND"],
  ["GET", `${prefix}/%2e%2e`, 404, "NOT_FOUND"],
];

describe("unusual paths", () => {
  it("the integration API matches methods and paths exactly [EXT-4][EXT-11]", async () => {
    const hub = await hubWithOrders();
    const { token } = await hub.createKey();
    await expectAnswers(hub, "/external/v1", { "X-Api-Key": token }, [
      ...segments("/orders"),
      ["HEAD", "/orders", 404],
      ["GET", "//orders", 404, "NOT_FOUND"],
      ["GET", "/orders//x", 404, "NOT_FOUND"],
      ["GET", "/%6frders", 404, "NOT_FOUND"],
      ["GET", "/orders?status=all", 200],
      ["GET", "/orders?other=1", 200],
      ["GET", "/session?x=1", 200],
      ["GET", "/orders?status=", 400, "VALIDATION_ERROR"],
      ["GET", "/orders?status=x", 400, "VALIDATION_ERROR"],
      ["GET", "/orders?status=active&status=all", 400, "VALIDATION_ERROR"],
      ["GET", "/plugins", 404, "NOT_FOUND"],
      ["GET", "/plugins/board", 404, "NOT_FOUND"],
      ["GET", "/plugins/board/events", 200],
      ["GET", "/plugins/board/events/", 404, "NOT_FOUND"],
      ["GET", "/plugins/board/events/%", 400, "VALIDATION_ERROR"],
      ["GET", "/plugins/%62oard/events", 404, "NOT_FOUND"],
    ]);
    await expectAnswers(hub, "/external/v1", {}, [
      ["HEAD", "/orders", 401],
      ["GET", "/orders/%zz", 401, "UNAUTHENTICATED"],
      ["GET", "/plugins/x/events", 404, "NOT_FOUND"],
      ["GET", "/plugins/%62oard/events", 404, "NOT_FOUND"],
      ["GET", "/plugins/board/events/", 401, "UNAUTHENTICATED"],
    ]);
    expect((await hub.external(token).get("/orders?status=x")).body.error).toBe("status: must be active or all");
  });

  it("unknown paths below the key administration return 404 to a manager and 401 to others [KEY-12]", async () => {
    const hub = await startTestHub();
    const rows = [
      ["HEAD", ""],
      ["GET", "/"],
      ["PUT", ""],
      ["GET", "/a"],
      ["DELETE", "/"],
      ["DELETE", "/a/b"],
      ["DELETE", "/a+b"],
    ] as const;
    const manager = { Authorization: `Bearer ${await hub.signIn("manager")}` };
    const code = (method: string, text: string): [string?] => (method === "HEAD" ? [] : [text]);
    const refused = (status: number, text: string): Row[] =>
      rows.map(([method, path]) => [method, path, status, ...code(method, text)]);
    await expectAnswers(hub, "/external-keys", manager, refused(404, "NOT_FOUND"));
    await expectAnswers(hub, "/external-keys", manager, [["DELETE", "/%zz", 400, "VALIDATION_ERROR"]]);
    await expectAnswers(hub, "/external-keys", {}, refused(401, "UNAUTHENTICATED"));
  });

  it("unknown paths of the operator API return 404 before a session is required [OP-9]", async () => {
    const hub = await hubWithOrders();
    const manager = { Authorization: `Bearer ${await hub.signIn("manager")}` };
    const unknown: Row[] = [
      ["HEAD", "/overview", 404],
      ["GET", "", 404, "NOT_FOUND"],
      ["GET", "/", 404, "NOT_FOUND"],
      ["OPTIONS", "/overview", 404, "NOT_FOUND"],
      ["POST", "/overview", 404, "NOT_FOUND"],
      ["GET", "/overview/", 404, "NOT_FOUND"],
      ["GET", "/Overview", 404, "NOT_FOUND"],
      ["GET", "//overview", 404, "NOT_FOUND"],
      ["GET", "/orders//versions", 404, "NOT_FOUND"],
      ["GET", "/orders/%zz", 404, "NOT_FOUND"],
      ["GET", "/secrets", 404, "NOT_FOUND"],
    ];
    for (const headers of [manager, {}, { Authorization: "Bearer dead" }, { Authorization: "nonsense" }]) {
      await expectAnswers(hub, "/operator/v1", headers, unknown);
    }
    await expectAnswers(hub, "/operator/v1", manager, [
      ...segments("/orders"),
      // A literal segment takes precedence over a parameter.
      ["GET", "/deliveries/dead", 200],
      ["GET", "/deliveries/de%61d", 404, "NOT_FOUND"],
      ["GET", "/orders?limit=1&limit=2", 400, "VALIDATION_ERROR"],
      ["GET", "/orders?x=1", 400, "VALIDATION_ERROR"],
      ["GET", "/overview?x=1", 200],
    ]);
  });

  it("paths beside every API return 404 [OP-9]", async () => {
    const hub = await startTestHub();
    const paths = [
      "/external/v1x",
      "/EXTERNAL/v1/orders",
      "/external-keysx",
      "/operator/v1x",
      "/external/",
      "/external",
    ];
    const rows = [...paths, "/external/docs/", "/external/Docs"].map((path): Row => ["GET", path, 404, "NOT_FOUND"]);
    await expectAnswers(hub, "", {}, rows);
    for (const path of ["/health", "/external/openapi.json", "/external/docs", "/external/docs/page.js"]) {
      await expectAnswers(hub, "", {}, [["HEAD", path, 200]]);
    }
  });
});
