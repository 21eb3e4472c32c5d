import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{protocol,clients,hub,updater,electron,renderer,backoffice-stub,build,e2e,bench}/**/*.test.{ts,tsx}"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    globalSetup: ["./e2e/support/build-hub.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
