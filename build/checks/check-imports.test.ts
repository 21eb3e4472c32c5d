// @module-tag long
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

/** Checks a tree of files, given by path below its root. */
async function check(
  files: Record<string, string>,
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const root = await mkdtemp(path.join(tmpdir(), "imports-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
  for (const file of Object.keys(files).filter((name) => /^\w+\/package\.json$/.test(name))) {
    mkdirSync(path.join(root, "node_modules/@comanda"), { recursive: true });
    const name = path.dirname(file);
    symlinkSync(path.join(root, name), path.join(root, "node_modules/@comanda", name));
  }
  mkdirSync(path.join(root, "hub"), { recursive: true });
  const program = path.join(import.meta.dirname, "check-imports.ts");
  return spawnSync(process.execPath, [program, root], { encoding: "utf8" });
}

const oneExport = "export const it = 1;\n";
const importing = (specifier: string) => `import { it } from "${specifier}";\nexport const here = it;\n`;

it("imports of lower layers and of the own folder are accepted [RULE-4]", async () => {
  const result = await check({
    "hub/orders/order.ts": "export const it = 1;\n",
    "hub/operator/view.ts": importing("../orders/order.ts"),
    "renderer/lib/format.ts": oneExport,
    "renderer/features/kitchen/deep/board.ts": importing("../../../lib/format.ts"),
    "renderer/features/kitchen/screen.ts": importing("./deep/board.ts"),
    "renderer/app/screens.ts": importing("../features/kitchen/screen.ts"),
    "clients/terminal/src/world.ts": oneExport,
    "clients/terminal/src/outbox/outbox.ts": importing("../world.ts"),
    "clients/terminal/src/state/hub-state.ts": importing("../outbox/outbox.ts"),
    "renderer/features/back-office/kept-change-table.tsx": importing("../orders/order-facts.tsx"),
    "renderer/features/orders/order-facts.tsx": importing("../../lib/format.ts"),
  });
  expect(result).toMatchObject({ status: 0, stderr: "" });
});

it.each([
  ["hub/orders/order.ts", "hub/operator/view.ts", "hub-orders"],
  ["hub/webhooks/sender.ts", "hub/forwarding/forwarder.ts", "hub-webhooks"],
  ["hub/http/app.ts", "hub/hub.ts", "hub-http"],
  ["renderer/lib/format.ts", "renderer/components/table.tsx", "renderer-lib"],
  ["renderer/features/kitchen/screen.tsx", "renderer/features/orders/lines.tsx", "renderer-features"],
  ["renderer/features/kitchen/screen.tsx", "renderer/app/app.tsx", "renderer-features"],
  ["terminal/features/pay/pay-screen.tsx", "terminal/features/order/tile-grid.tsx", "terminal-features"],
  ["terminal/lib/show-refusal.ts", "terminal/components/failures.ts", "terminal-lib"],
  ["terminal/checks/use-recent.ts", "terminal/features/recent/recent-list.ts", "terminal-checks"],
  ["clients/terminal/src/orders/order-content.ts", "clients/terminal/src/state/offers.ts", "clients-terminal-orders"],
  ["clients/terminal/src/session/leases.ts", "clients/terminal/src/terminal.ts", "clients-terminal-session"],
])("an import in %s of %s fails [RULE-4]", async (from, to, rule) => {
  const specifier = path.posix.relative(path.posix.dirname(from), to);
  const result = await check({ [from]: importing(specifier), [to]: oneExport });
  expect(result).toMatchObject({ status: 1, stderr: `${rule}: ${from} → ${to}\n` });
});

it("a listed breach that no longer exists fails [RULE-4]", async () => {
  const from = "renderer/features/back-office/kept-change-table.tsx";
  const to = "renderer/features/orders/order-facts.tsx";
  const result = await check({ [from]: importing("../../lib/format.ts"), "renderer/lib/format.ts": oneExport });
  const stderr = `renderer-features: ${from} → ${to} is mended: take it off the list in build/checks/layers.ts\n`;
  expect(result).toMatchObject({ status: 1, stderr });
});

it("a folder without a layer fails [RULE-4]", async () => {
  const result = await check({
    "hub/orders/order.ts": importing("../platform/x.ts"),
    "hub/platform/x.ts": oneExport,
    "hub/misc/y.ts": oneExport,
    "renderer/misc/z.ts": oneExport,
  });
  const unknown = ["hub/misc", "renderer/misc"].map(
    (each) => `${each} has no layer: give it one in build/checks/layers.ts\n`,
  );
  expect(result).toMatchObject({ status: 1, stderr: unknown.join("") });
});

it("a check that has read no file fails", async () => {
  const result = await check({ "hub/orders/order.txt": "" });
  expect(result).toMatchObject({ status: 1, stderr: expect.stringContaining("nothing was checked") as string });
});

/** One of our packages, which other files import by name. */
const packageOf = (name: string, files: Record<string, string>) => ({
  [`${name}/package.json`]: JSON.stringify({ name: `@comanda/${name}`, exports: { "./*": "./src/*" } }),
  ...Object.fromEntries(Object.entries(files).map(([file, content]) => [`${name}/src/${file}`, content])),
});

it("an import of a package that is not below fails [RULE-2]", async () => {
  const result = await check({
    ...packageOf("ui", { "theme.ts": oneExport }),
    "hub/orders/order.ts": importing("@comanda/ui/theme.ts"),
  });
  expect(result).toMatchObject({ status: 1, stderr: "package-hub: hub/orders/order.ts → ui/src/theme.ts\n" });
});

it("an import of a package of ours that is not found fails [RULE-2]", async () => {
  const result = await check({ "hub/orders/order.ts": importing("@comanda/ui/theme.ts") });
  const stderr = "own-package-not-found: hub/orders/order.ts → @comanda/ui/theme.ts\n";
  expect(result).toMatchObject({ status: 1, stderr });
});

it("the rulebook may import itself, types and the protocol's bounds [RULE-1]", async () => {
  const result = await check({
    ...packageOf("protocol", { "basics/bounds.ts": oneExport, "orders.ts": "export type Order = 1;\n" }),
    "rules/src/it.ts": oneExport,
    "rules/src/rule.ts": importing("./it.ts"),
    "rules/src/bounded.ts": importing("@comanda/protocol/basics/bounds.ts"),
    "rules/src/typed.ts": 'import type { Order } from "@comanda/protocol/orders.ts";\nexport const order: Order = 1;\n',
  });
  expect(result).toMatchObject({ status: 0, stderr: "" });
});

it.each([
  ["a file", "node:fs", "fs"],
  ["a schema library", "zod", "zod"],
  ["values of the protocol", "@comanda/protocol/orders.ts", "protocol/src/orders.ts"],
])("an import of %s in the rulebook fails [RULE-1]", async (_, specifier, found) => {
  const result = await check({
    ...packageOf("protocol", { "orders.ts": oneExport }),
    "rules/src/rule.ts": importing(specifier),
  });
  expect(result).toMatchObject({ status: 1, stderr: `rules-are-pure: rules/src/rule.ts → ${found}\n` });
});

it.each([
  ["export const due = Math.round((1.2 - 1) * 100) / 100;", "rounds to decimals"],
  ["export const text = (amount: number) => amount.toFixed(2);", "rounds to decimals"],
  ["export const cents = (amount: number) => amount * 100;", "makes units of an amount"],
  ["export const add = (sum: number, tip: number) => sum + tip;", "sums amounts as binary fractions"],
  ["const rest = line.quantity - line.cancelledQuantity;", "reckons with what the kitchen has"],
  ["const left = (line.sentQuantity ?? 0) - 1;", "reckons with what the kitchen has"],
  ["const open = sentQuantity - voidedQuantity > preparedQuantity;", "reckons with what the kitchen has"],
])("arithmetic with money or the kitchen's work outside the rulebook fails: %s [RULE-3]", async (code, what) => {
  const result = await check({
    "hub/orders/order.ts": importing("./planted.ts"),
    "hub/orders/planted.ts": `${code}\nexport const it = 1;\n`,
    "rules/src/money/allowed.ts": `${code}\n`,
  });
  const stderr = `hub/orders/planted.ts:1 ${what}: let the rulebook (rules/) do it\n`;
  expect(result).toMatchObject({ status: 1, stderr });
});
