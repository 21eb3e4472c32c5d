// @module-tag long
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

const service = `export type Service = ReturnType<typeof createService>;
export function createService() {
  return { list: () => [1], replay: (id: number) => id };
}
`;
const caller = `import type { Service } from "../webhooks/service.ts";
export const first = ({ list }: Pick<Service, "list">) => list()[0];
`;

/** Checks a tree of files, given by path below its root, and returns the output. */
async function check(files: Record<string, string>): Promise<{ status: number | null; output: string }> {
  const root = await mkdtemp(path.join(tmpdir(), "members-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
  const program = [path.join(import.meta.dirname, "check-members.ts"), root];
  const { status, stderr } = spawnSync(process.execPath, program, { encoding: "utf8" });
  // On a busy machine the compiler prints "context canceled" when it is closed.
  return { status, output: stderr.replace(/^context canceled\n/m, "") };
}

it("a member of a service that only its tests call is reported", async () => {
  const result = await check({
    "hub/webhooks/service.ts": service,
    "hub/webhooks/service.test.ts":
      'import { createService } from "./service.ts";\nexport const done = createService().replay(1);\n',
    "hub/operator/view.ts": caller,
  });
  expect(result).toMatchObject({
    status: 1,
    output: "hub/webhooks/service.ts: createService.replay has no user\n",
  });
});

it("members that another package calls are accepted", async () => {
  const result = await check({
    "hub/webhooks/service.ts": service,
    "hub/operator/view.ts": caller,
    "electron/main.ts":
      'import { createService } from "../hub/webhooks/service.ts";\nexport const done = createService().replay(1);\n',
  });
  expect(result).toMatchObject({ status: 0, output: "" });
});

it("a method of an interface that is never called is reported", async () => {
  const result = await check({
    "hub/hub.ts":
      "interface Hub {\n  start(): void;\n  stop(): void;\n}\nexport function run(hub: Hub): void {\n  hub.start();\n}\n",
  });
  expect(result).toMatchObject({ status: 1, output: "hub/hub.ts: Hub.stop has no user\n" });
});

it("a check of members that has read no file fails", async () => {
  const result = await check({ "hub/hub.ts": "export const port = 1;\n" });
  expect(result).toMatchObject({ status: 1, output: expect.stringContaining("nothing was checked") as string });
});
