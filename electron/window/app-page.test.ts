import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { createAppPage } from "./app-page.ts";

const outside = mkdtempSync(path.join(tmpdir(), "page-"));
const folder = path.join(outside, "terminal");
mkdirSync(path.join(folder, "assets"), { recursive: true });
writeFileSync(path.join(outside, "settings.json"), "{}");
writeFileSync(path.join(outside, "secret.js"), "secret");
writeFileSync(path.join(folder, "index.html"), "<!doctype html>");
writeFileSync(path.join(folder, "assets/main-1.js"), "export {}");
writeFileSync(path.join(folder, "assets/main-1.js.br"), "compressed");
const page = createAppPage("app://terminal", folder);
const get = (url: string, method = "GET") => page({ url, method });

it("the built terminal is served under a policy that allows its own files and the hub's socket [DESK-78]", async () => {
  const index = await get("app://terminal/");
  expect(index.status).toBe(200);
  expect(index.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(index.headers.get("content-security-policy")).toBe(
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
      "connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  const script = await get("app://terminal/assets/main-1.js?v=1");
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(await script.text()).toBe("export {}");
});

it("only files of the terminal's folder are served, on its own origin [DESK-78]", async () => {
  const others = [
    "app://terminal/../secret.js",
    "app://terminal/%2e%2e/secret.js",
    "app://terminal/assets/../../secret.js",
    "app://terminal//secret.js",
    `app://terminal/${outside}/secret.js`,
    "app://terminal/assets/main-1.js.br",
    "app://terminal/assets",
    "app://terminal/missing.js",
    "app://desktop/index.html",
    "app://other/",
  ];
  for (const url of others) expect((await get(url)).status, url).toBe(404);
  expect((await get("app://terminal/", "POST")).status).toBe(404);
});

const answer = createAppPage("app://desktop", path.join(import.meta.dirname, "../failure-page"));

it("the built-in page and style are served under a policy that allows only their own files [DESK-32]", async () => {
  const page = await answer({ url: "app://desktop/", method: "GET" });
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(await page.text()).not.toMatch(/<script>|onclick=|style=/);
  expect((await answer({ url: "app://desktop/page.css", method: "GET" })).headers.get("content-type")).toBe(
    "text/css; charset=utf-8",
  );
});

it("no other file is served beside the built-in page [DESK-32]", async () => {
  const others = [
    "app://desktop/texts.json",
    "app://desktop/../main.ts",
    "app://desktop/%2e%2e/main.ts",
    "app://other/",
    "app://desktop/x",
  ];
  for (const url of others) expect((await answer({ url, method: "GET" })).status).toBe(404);
});
