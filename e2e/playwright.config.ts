import { defineConfig } from "@playwright/test";
import { findChromium } from "./electron-stand-in/chromium.ts";

/** An installed Chromium where there is one, else the one that Playwright brings. */
const executablePath = findChromium();
const args = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/**
 * What a person does, in a real Chromium: `--project screens` in a browser on the hub's page, `--project desktop` in the
 * desktop app on Electron or its stand-in.
 */
export default defineConfig({
  forbidOnly: true,
  workers: 1,
  // Generous, because a busy machine must not look like a broken product.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [["list"], ["json", { outputFile: "../.cache/reports/playwright.json" }]],
  outputDir: "../test-results",
  globalSetup: ["./support/build-hub.ts", "./screens/build-renderer.ts", "./desktop/build-app.ts"],
  projects: [
    {
      name: "screens",
      testDir: "./screens",
      use: {
        viewport: { width: 1366, height: 768 },
        locale: "en-US",
        // Colours are judged as they are, not half way through a transition.
        contextOptions: { reducedMotion: "reduce" },
        launchOptions: executablePath === undefined ? { args } : { args, executablePath },
      },
    },
    { name: "desktop", testDir: "./desktop" },
    // It compares latencies: what a busy machine has spoilt is measured again, whole.
    { name: "hostile", testDir: "./hostile", retries: 1 },
  ],
});
