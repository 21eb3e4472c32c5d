import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

const root = path.resolve(import.meta.dirname, "../../..");

/** A strict consumer of the client: the recipes' calls, with typed results. */
const consumer = `
import {
  createIntegrationClient, createKeyAdministration, HubRefusal, linesOf, verifyWebhook,
  type NewOrder, type Snapshot, type WebhookDelivery,
} from "@comanda/integration-client";

const hub = createIntegrationClient({ url: "http://127.0.0.1:8766", key: "hub_x_y" });
const order: NewOrder = {
  tableId: 31,
  lines: [{ productId: "128", quantity: 2, unitPrice: 80, total: 188.8, taxIds: ["1"], taxAmount: 28.8 }],
  totals: { subtotal: 160, tax: 28.8, total: 188.8 },
};
let freed = 0;
let paid: [string, number] | undefined;
export async function walk(): Promise<Snapshot> {
  const { posReference, version } = await hub.createOrder(order);
  const { snapshot } = await hub.updateOrder(posReference, (current) => ({ lines: linesOf(current.snapshot) }));
  const guests: number = snapshot.guestCount;
  const session = await hub.session();
  if (session.active) console.log(session.sessionName, version, guests);
  const { warnings } = await hub.plugin("reservations").post({ key: "b", payload: { tableId: 31 } });
  const reasons: string[] = warnings ?? [];
  const { secret } = await hub.webhooks.create({ url: "http://127.0.0.1:1", events: ["order.paid"] });
  const delivery = await verifyWebhook("{}", reasons[0], secret);
  if (delivery.id !== "test") take(delivery);
  if (delivery.event === "table.updated") freed = delivery.data.status === "available" ? delivery.data.tableId : 0;
  else if (delivery.event === "order.paid") paid = [delivery.data.posReference, delivery.data.snapshot.totals.total];
  const keys = createKeyAdministration({ url: "http://127.0.0.1:8766", managerToken: "m" });
  await keys.create({ label: "Webshop", scopes: ["read", "orders:write"] });
  return snapshot;
}
function take({ id, event }: WebhookDelivery): void {
  const name: "order.created" | "order.updated" | "order.paid" | "order.deleted" | "table.updated" = event;
  console.log(id.toFixed(), name, freed, paid);
}
export function codeOf(error: unknown): string {
  return error instanceof HubRefusal ? error.errorCode : "";
}
// @ts-expect-error An order without lines is none.
void hub.createOrder({ totals: { subtotal: 0, tax: 0, total: 0 } });
// @ts-expect-error There is no such event.
void hub.webhooks.create({ url: "http://127.0.0.1:1", events: ["order.eaten"] });
`;

/** Compiles a strict project with the client installed. Returns the compiler's output, empty on success. */
export async function compileConsumer(folder: string, moduleResolution: "nodenext" | "bundler"): Promise<string> {
  const compilerOptions = {
    target: "es2023",
    module: moduleResolution === "bundler" ? "esnext" : moduleResolution,
    moduleResolution,
    lib: ["es2023", "dom"],
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    // Also checks the client's own declarations.
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(path.join(folder, "consumer.ts"), consumer);
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  const tsc = path.join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).catch(
    (failure: { stdout: string }) => failure,
  );
  return stdout;
}
