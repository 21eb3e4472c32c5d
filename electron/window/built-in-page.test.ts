import path from "node:path";
import { expect, it } from "vitest";
import { createBuiltInPage } from "./built-in-page.ts";

const answer = createBuiltInPage(path.join(import.meta.dirname, "../failure-page"));

it("[DESK-32] serves its page and style under a policy that allows its own files only", async () => {
  const page = await answer({ url: "app://desktop/" });
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(await page.text()).not.toMatch(/<script>|onclick=|style=/);
  expect((await answer({ url: "app://desktop/page.css" })).headers.get("content-type")).toBe("text/css; charset=utf-8");
});

it("[DESK-32] serves nothing else", async () => {
  const others = [
    "app://desktop/texts.json",
    "app://desktop/../main.ts",
    "app://desktop/%2e%2e/main.ts",
    "app://other/",
    "app://desktop/x",
  ];
  for (const url of others) expect((await answer({ url })).status).toBe(404);
});
