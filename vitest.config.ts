import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "{protocol,clients,hub,updater,electron,ui,renderer,terminal,backoffice-stub,build,e2e,bench}/**/*.test.{ts,tsx}",
    ],
    exclude: ["**/node_modules/**", "**/dist/**"],
    globalSetup: ["./e2e/support/build-hub.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: "forks",
    // As many as the cores of a small machine: files run programs of their own, and with more of them some that wait for
    // one another run out of time.
    maxWorkers: 2,
  },
});
