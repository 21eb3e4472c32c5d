import { defineConfig } from "@playwright/test";
import { findBrowser } from "./support/find-browser.ts";
import { HUB_NAME } from "./touch/support/hub-name.ts";

/** An installed Chromium if there is one, else Playwright's own. */
const executablePath = findBrowser();
const args = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/**
 * Tests in a real Chromium: `--project screens` runs in a browser on the hub's page, `--project desktop` in the desktop app on
 * Electron or its stand-in. `npm test` runs those with the tag `@walk`, one walk through each app.
 */
export default defineConfig({
  forbidOnly: true,
  // Tests mostly wait for programs and pages; specs share no port, folder or restaurant between workers.
  workers: 2,
  // Generous, because a busy machine must not look like a broken product.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [["list"], ["json", { outputFile: "../.cache/reports/playwright.json" }]],
  outputDir: "../test-results",
  globalSetup: ["./support/build-pages.ts", "./desktop/build-app.ts"],
  projects: [
    {
      name: "screens",
      testDir: "./screens",
      use: {
        viewport: { width: 1366, height: 768 },
        locale: "en-US",
        // Without transitions, so that colours are checked in their final state.
        contextOptions: { reducedMotion: "reduce" },
        launchOptions: executablePath === undefined ? { args } : { args, executablePath },
      },
    },
    {
      name: "touch",
      testDir: "./touch",
      use: {
        launchOptions: {
          ...(executablePath === undefined ? {} : { executablePath }),
          args: [...args, `--host-resolver-rules=MAP ${HUB_NAME} 127.0.0.1`],
        },
      },
    },
    { name: "desktop", testDir: "./desktop" },
    {
      name: "headquarters",
      testDir: "./headquarters",
      use: {
        viewport: { width: 1366, height: 768 },
        locale: "es-DO",
        contextOptions: { reducedMotion: "reduce" },
        launchOptions: executablePath === undefined ? { args } : { args, executablePath },
      },
    },
    // Compares latencies, so it runs alone; a failure, which a busy machine may cause, is repeated as a whole.
    { name: "hostile", testDir: "./hostile", retries: 1 },
  ],
});
