// @module-tag long
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { priceLine } from "@comanda/rules";
import {
  createIntegrationClient,
  createKeyAdministration,
  type IntegrationClient,
  type Snapshot,
} from "../src/index.ts";
import { installPackedClient } from "./pack-client.ts";
import { startPrograms, type Programs } from "./start-programs.ts";
import { compileConsumer } from "./strict-consumer.ts";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../../..");
const isHere = (program: string): boolean =>
  (process.env["PATH"] ?? "").split(path.delimiter).some((folder) => existsSync(path.join(folder, program)));

/** How to run a recipe of each language. Languages that this machine lacks are left out. */
const languages = [
  { name: "bash", needs: "curl", program: "bash", extension: "sh" },
  { name: "js", needs: "", program: process.execPath, extension: "mjs" },
  { name: "python", needs: "python3", program: "python3", extension: "py" },
].filter(({ needs }) => needs === "" || isHere(needs));

let programs: Programs;
let hub: IntegrationClient;
let settings: Record<string, string>;
/** Outside the repository with the packed client installed, like an integrator's project. */
let project: Awaited<ReturnType<typeof installPackedClient>>;

beforeAll(async () => {
  [programs, project] = await Promise.all([startPrograms(), installPackedClient()]);
  const { url } = programs;
  const managerToken = await programs.signIn("manager");
  const scopes = ["read", "orders:write", "webhooks:manage", "plugins:write"] as const;
  const { token } = await createKeyAdministration({ url, managerToken }).create({
    label: "recipes",
    scopes: [...scopes],
  });
  hub = createIntegrationClient({ url, key: token });
  settings = { PATH: process.env["PATH"] ?? "", HUB_URL: url, HUB_KEY: token, MANAGER_TOKEN: managerToken };
});
afterAll(async () => {
  await programs.stop();
  project.remove();
});

/** Writes a language's code block of a recipe to a file, and returns its path. */
function blockOf(recipe: string, language: (typeof languages)[number]): string {
  const text = readFileSync(path.join(root, "docs/integrations", recipe), "utf8");
  const block = new RegExp(`\`\`\`${language.name}\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
  if (block === undefined) throw new Error(`${recipe} has no block in ${language.name}`);
  const file = path.join(project.folder, `${recipe}.${language.extension}`);
  writeFileSync(file, block);
  return file;
}

async function runRecipe(
  recipe: string,
  language: (typeof languages)[number],
  env: Record<string, string> = {},
): Promise<string> {
  const { stdout } = await run(language.program, [blockOf(recipe, language)], { env: { ...settings, ...env } });
  return stdout;
}

describe("the packed client", () => {
  const installed = (...names: string[]) =>
    path.join(project.folder, "node_modules/@comanda/integration-client", ...names);

  it("the packed client has JavaScript and types, no sources, and needs no other package [INT-8]", () => {
    expect(readdirSync(path.join(project.folder, "node_modules/@comanda"))).toEqual(["integration-client"]);
    expect(readdirSync(installed()).toSorted()).toEqual(["README.md", "dist", "package.json"]);
    const names = readdirSync(installed("dist"));
    for (const name of names) {
      expect(name).toMatch(/\.(js|d\.ts)$/);
      const imported = [...readFileSync(installed("dist", name), "utf8").matchAll(/from "([^"]+)"/g)];
      // Declarations import `.ts` sources; the compiler resolves these to the `.d.ts` files.
      const found = (from: string): boolean => names.includes(path.basename(from).replace(/\.ts$/, ".d.ts"));
      for (const [, from = ""] of imported) expect(found(from), `${name} imports ${from}`).toBe(true);
    }
    const manifest = JSON.parse(readFileSync(installed("package.json"), "utf8")) as Record<string, unknown>;
    expect(manifest).not.toHaveProperty("dependencies");
    expect(manifest).toMatchObject({ type: "module", engines: { node: ">=20" }, license: expect.any(String) });
  });

  it.each(["nodenext", "bundler"] as const)(
    "the packed client compiles in a strict project with %s [INT-8] [INT-10]",
    async (resolution) => {
      expect(await compileConsumer(project.folder, resolution)).toBe("");
    },
  );
});

describe("the recipe of a first key", () => {
  it("the recipe of a first key signs a manager in at the shell [INT-7]", async () => {
    const text = readFileSync(path.join(root, "docs/integrations/first-key.md"), "utf8");
    const [, signIn = ""] = /```sh\n(export MANAGER_TOKEN[\s\S]*?)```/.exec(text) ?? [];
    const { MANAGER_TOKEN: _, ...env } = settings;
    const { stdout } = await run("sh", ["-c", `${signIn}printenv MANAGER_TOKEN`], { env });
    const keys = createKeyAdministration({ url: programs.url, managerToken: stdout.trim() });
    expect(await keys.list()).not.toEqual([]);
  });
});

describe.each(languages)("the recipes in $name", (language) => {
  it("the recipe makes a first key [INT-7]", async () => {
    const token = /hub_[0-9a-f]+_[0-9a-f]{64}/.exec(await runRecipe("first-key.md", language))?.[0] ?? "";
    expect(await createIntegrationClient({ url: programs.url, key: token }).session()).toMatchObject({ active: true });
  });

  it("the recipe reads the menu [INT-7]", async () => {
    const { products } = await hub.menu();
    const received = await runRecipe("read-the-menu.md", language);
    if (language.name === "bash") expect(JSON.parse(received)).toMatchObject({ products });
    else {
      const [coffee] = await priced("takeout", [{ productId: "128", quantity: 1 }]);
      expect(received.split("\n")).toContain(`128 Café ${coffee?.total.toFixed(2)}`);
      expect(received.trim().split("\n")).toHaveLength(products.length);
    }
  });

  it("the recipe opens a first order once, and adds items to it [INT-7]", async () => {
    const before = (await hub.orders()).length;
    const received = await runRecipe("first-order.md", language);
    await runRecipe("first-order.md", language);
    const [order, ...others] = (await hub.orders()).slice(0, (await hub.orders()).length - before);
    expect(others).toEqual([]);
    expect(received).toContain(order?.posReference);
    await runRecipe("add-items.md", language, { ORDER_REF: order?.posReference ?? "" });
    const { snapshot } = await hub.order(order?.posReference ?? "");
    expect(snapshot.lines.map((line) => line.productId)).toEqual(["128", "134"]);
    expect(snapshot.totals).toEqual({ subtotal: 350, tax: 63, total: 413 });
    expect(snapshot.lines.map(({ productId, quantity, total }) => ({ productId, quantity, total }))).toEqual(
      await priced(snapshot.orderType, snapshot.lines),
    );
  });

  it("the recipe shows bookings [INT-7]", async () => {
    await runRecipe("show-bookings.md", language);
    const bookings = hub.plugin("reservations");
    const { payload } = await bookings.get("booking-77");
    expect(payload).toMatchObject({ guestName: "Ana Lucía" });
    expect(Math.abs(Date.parse(String(payload["at"])) - Date.now())).toBeLessThan(60_000);
    expect((await bookings.post({ key: "booking-77", payload })).warnings).toBeUndefined();
  });
});

/** Returns the lines with the prices of the menu that the demo and the back-office stand-in share. */
async function priced(orderType: string, lines: readonly Pick<Snapshot["lines"][number], "productId" | "quantity">[]) {
  const { products, taxes } = await programs.menu();
  return lines.map(({ productId, quantity }) => {
    const dish = products.find(({ id }) => String(id) === productId);
    if (dish === undefined) throw new Error(`the menu has no product ${productId}`);
    const charged = taxes.filter(({ id }) => dish.taxIds.includes(id));
    const { total } = priceLine({ unitPrice: dish.price, quantity, taxes: charged }, { orderType });
    return { productId, quantity, total };
  });
}

describe("the recipe of a webhook receiver", () => {
  it("the recipe of a webhook receiver subscribes with curl [INT-7]", async () => {
    const curl = languages.find(({ name }) => name === "bash");
    if (curl === undefined) return;
    const subscribed = await runRecipe("verify-a-webhook.md", curl, { RECEIVER_URL: "http://127.0.0.1:1/" });
    const { id, secret } = JSON.parse(subscribed) as { id: string; secret: string };
    expect(secret).toMatch(/^whsec_/);
    await hub.webhooks.delete(id);
  });

  it.each(languages.filter(({ name }) => name !== "bash"))(
    "the receiver of the recipe accepts deliveries and nothing else, in $name [INT-7]",
    async (language) => {
      const port = await freePort();
      const { id, secret } = await hub.webhooks.create({ url: `http://127.0.0.1:${port}/`, events: ["order.created"] });
      const child = spawn(language.program, [blockOf("verify-a-webhook.md", language)], {
        env: { ...settings, PORT: String(port), WEBHOOK_SECRET: secret },
        stdio: ["ignore", "pipe", "inherit"],
      });
      onTestFinished(async () => {
        child.kill("SIGKILL");
        await hub.webhooks.delete(id);
      });
      const lines = linesFrom(child);
      expect(await lines.next()).toBe("listening");
      expect(await hub.webhooks.test(id)).toEqual({ sent: true, status: 204 });
      expect(await lines.next()).toBe("webhook.test ");
      const line = { productId: "1", quantity: 1, unitPrice: 1, total: 1 };
      const { posReference } = await hub.createOrder({
        orderType: "takeout",
        lines: [line],
        totals: { subtotal: 1, tax: 0, total: 1 },
      });
      expect(await lines.next()).toBe(`order.created ${posReference}`);
      const now = Math.floor(Date.now() / 1000);
      for (const signature of [`t=${now},v1=${"0".repeat(64)}`, `t=${now},v1=\u00e9`, "t=\u00b2,v1=0", "v1", ""]) {
        const forged = { method: "POST", body: "{}", headers: { "X-Hub-Signature": signature } };
        expect((await fetch(`http://127.0.0.1:${port}/`, forged)).status, signature).toBe(400);
      }
    },
  );
});

function linesFrom(child: ChildProcess): { next(): Promise<string | undefined> } {
  if (child.stdout === null) throw new Error("the receiver's output is not read");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { next: async () => (await lines.next()).value };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
