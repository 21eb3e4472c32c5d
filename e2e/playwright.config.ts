import { defineConfig } from "@playwright/test";

/** What a person does, in a real Chromium; `--project desktop` is the desktop app on Electron or its stand-in. */
export default defineConfig({
  forbidOnly: true,
  workers: 1,
  timeout: 60_000,
  reporter: "list",
  outputDir: "../test-results",
  globalSetup: "./desktop/build-app.ts",
  projects: [{ name: "desktop", testDir: "./desktop" }],
});
