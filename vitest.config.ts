import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "{protocol,rules,clients,hub,updater,electron,ui,renderer,terminal,backoffice-stub,headquarters,build,e2e,bench}/**/*.test.{ts,tsx}",
    ],
    exclude: ["**/node_modules/**", "**/dist/**"],
    globalSetup: ["./e2e/support/build-hub.ts"],
    tags: [{ name: "long", description: "Runs in `npm run test:all` and not in `npm test` (CONTRIBUTING.md)." }],
    // What hangs is ended. No rule is measured by it: beside three busy programs a test takes five times as long.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    setupFiles: ["./hub/test/support/each-file.ts"],
    pool: "forks",
    // Loading the hub anew for each file would cost more than most files' tests. Nothing is mocked, and what a test puts in
    // place of something it puts back.
    isolate: false,
    // More than the cores of a small machine, for many files wait for clocks and for programs of their own most of the time:
    // with two cores, five take 247 s where three take 315 s, and seven 240 s.
    maxWorkers: 5,
  },
});
