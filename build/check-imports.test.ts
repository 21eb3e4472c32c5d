import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

/** Checks a tree with these files, by path below its root. */
async function check(
  files: Record<string, string>,
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const root = await mkdtemp(path.join(tmpdir(), "imports-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
  const program = path.join(import.meta.dirname, "check-imports.ts");
  return spawnSync(process.execPath, [program, root], { encoding: "utf8" });
}

it("accepts an import from a lower layer of the hub", async () => {
  const result = await check({
    "hub/orders/order.ts": "export const order = 1;\n",
    "hub/operator/view.ts": 'import { order } from "../orders/order.ts";\nexport const view = order;\n',
  });
  expect(result).toMatchObject({ status: 0, stderr: "" });
});

it.each([
  ["a higher layer", "hub/orders/order.ts", "../operator/view.ts", "hub/operator/view.ts", "hub-orders"],
  ["a sibling", "hub/webhooks/sender.ts", "../forwarding/forwarder.ts", "hub/forwarding/forwarder.ts", "hub-webhooks"],
  ["the composition root", "hub/http/app.ts", "../hub.ts", "hub/hub.ts", "hub-http"],
])("fails on an import of %s", async (_, from, specifier, to, rule) => {
  const result = await check({
    [from]: `import { it } from "${specifier}";\nexport const here = it;\n`,
    [to]: "export const it = 1;\n",
  });
  expect(result).toMatchObject({ status: 1, stderr: `${rule}: ${from} → ${to}\n` });
});

it("fails on a folder of the hub that has no layer", async () => {
  const result = await check({
    "hub/orders/order.ts": 'import { x } from "../platform/x.ts";\nexport const order = x;\n',
    "hub/platform/x.ts": "export const x = 1;\n",
    "hub/misc/y.ts": "export const y = 1;\n",
  });
  expect(result).toMatchObject({ status: 1, stderr: expect.stringContaining("hub/misc has no layer") as string });
});

it("fails when it has read nothing", async () => {
  const result = await check({ "hub/orders/order.txt": "" });
  expect(result).toMatchObject({ status: 1, stderr: expect.stringContaining("nothing was checked") as string });
});
