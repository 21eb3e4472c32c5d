import { defineConfig } from "@playwright/test";

/** The desktop specs alone: `playwright test -c e2e/desktop/playwright.config.ts`. */
export default defineConfig({
  testDir: ".",
  globalSetup: "./build-app.ts",
  workers: 1,
  timeout: 60_000,
  reporter: "list",
  outputDir: "../../test-results/desktop",
});
