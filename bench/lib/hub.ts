import { join } from "node:path";
import Database from "better-sqlite3";
import { type Bench, type Contender, type Disk, disksOf, freshPath } from "./bench.ts";
import { serverScript } from "./build-servers.ts";
import type { Figure } from "./figure.ts";
import { type Program, startProgram } from "./program.ts";

/** The back-office stand-in of a scenario, signed in as its manager. */
export interface StandIn {
  program: Program;
  managerToken: string;
  tableIds: readonly number[];
  /** An existing payment method. */
  methodId: number;
}

/** Enlarges the stand-in's restaurant: adds so many products, and so many tables on a floor of their own. */
function enlarge(file: string, { products, tables }: { products: number; tables: number }): void {
  const db = new Database(file);
  const product = db.prepare(
    "INSERT INTO product (id, name, price_cents, category_id, tax_ids) VALUES (?, ?, ?, ?, ?)",
  );
  const table = db.prepare(
    "INSERT INTO restaurant_table (floor_id, name, seats, x, y, width, height, shape) VALUES (90, ?, 4, ?, ?, 80, 80, 'square')",
  );
  db.transaction(() => {
    const category = db.prepare("INSERT INTO category (id, name) VALUES (?, ?)");
    for (let n = 0; n < products / IN_A_CATEGORY; n += 1) category.run(100 + n, `Carta ${n + 1}`);
    for (let n = 0; n < products; n += 1) {
      product.run(
        10_000 + n,
        `${dishes[n % dishes.length]} ${n}`,
        10_000 + n,
        100 + Math.floor(n / IN_A_CATEGORY),
        "[1,2]",
      );
    }
    db.prepare("INSERT INTO floor (id, name, layout_mode) VALUES (90, 'Jardín', 'free')").run();
    for (let n = 0; n < tables; n += 1) table.run(`J${n + 1}`, (n % 20) * 100, Math.floor(n / 20) * 100);
  })();
  db.close();
}

const IN_A_CATEGORY = 50;
const dishes = ["Pollo guisado", "Arroz con camarones", "Jugo de chinola", "Churrasco", "Ensalada de aguacate"];

export async function startStandIn(bench: Bench, size?: { products: number; tables: number }): Promise<StandIn> {
  const file = freshPath(bench, "back-office.db");
  const start = (): Promise<Program> =>
    startProgram({
      name: "back-office stand-in",
      script: "backoffice-stub/main.ts",
      env: { BACKOFFICE_PORT: "0", BACKOFFICE_HOST: "127.0.0.1", BACKOFFICE_DB_PATH: file },
    });
  let program = await start();
  if (size !== undefined) {
    // While the stand-in runs, only it may open its file.
    await program.stop();
    enlarge(file, size);
    program = await start();
  }
  const managerToken = await signIn(program.url, "manager");
  const bootstrap = await postJson<Bootstrap>(
    `${program.url}/pos-api/v1/bootstrap`,
    {},
    { authorization: `Bearer ${managerToken}` },
  );
  const tableIds = bootstrap.config.floors.flatMap((floor) => floor.tables.map((table) => table.id));
  return { program, managerToken, tableIds, methodId: bootstrap.config.paymentMethods[0]?.id ?? 1 };
}

/** Measures with one stand-in on each disk of the run. */
export async function onEachDisk(
  bench: Bench,
  measure: (disk: Disk, standIn: StandIn) => Promise<Figure[]>,
): Promise<Figure[]> {
  const standIn = await startStandIn(bench);
  try {
    const figures: Figure[] = [];
    for (const disk of disksOf(bench)) figures.push(...(await measure(disk, standIn)));
    return figures;
  } finally {
    await standIn.program.stop();
  }
}

/** Starts a back-office that accepts every forwarded order at once. */
export function startFront(standIn: StandIn): Promise<Program> {
  const env = { BEHIND_URL: standIn.program.url };
  return startProgram({ name: "front office", script: serverScript("front-office"), env });
}

interface Bootstrap {
  config: { floors: { tables: { id: number }[] }[]; paymentMethods: { id: number }[] };
}

async function signIn(url: string, login: string): Promise<string> {
  const answer = await fetch(`${url}/web/session/authenticate`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", method: "call", params: { db: "demo", login, password: login } }),
  });
  const token = /session_id=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1];
  if (token === undefined) throw new Error(`the stand-in did not sign ${login} in: ${await answer.text()}`);
  return token;
}

export interface HubOptions {
  standIn: StandIn;
  /** URL of the hub's back-office; the stand-in's by default. */
  erpUrl?: string;
  dbPath?: string;
  disk?: Disk;
  env?: Readonly<Record<string, string>>;
  nodeOptions?: readonly string[];
  /** How long a start may take before it counts as failed; 30 s by default. */
  readyWithinMs?: number;
}

/** Starts our hub as the real program and waits until it has reached its back-office. */
export async function startHub(bench: Bench, options: HubOptions): Promise<Contender> {
  const program = await startHubProgram(bench, options);
  await untilBackOfficeReached(program);
  return {
    name: "hub",
    program,
    target: { flavour: "comanda", url: program.url, token: options.standIn.managerToken },
  };
}

/** Like `startHub`, but resolves as soon as the hub listens. */
export function startHubProgram(bench: Bench, options: HubOptions): Promise<Program> {
  const profile =
    process.env["BENCH_CPU_PROF"] === undefined
      ? []
      : ["--cpu-prof", `--cpu-prof-dir=${process.env["BENCH_CPU_PROF"]}`];
  return startProgram({
    name: "hub",
    script: process.env["BENCH_HUB"] ?? "dist/hub/main.js",
    env: {
      HUB_HOST: "127.0.0.1",
      HUB_HTTP_PORT: "0",
      HUB_DB_PATH: options.dbPath ?? freshPath(bench, "hub.db"),
      HUB_BACKUP_DIR: join(bench.folder, "backups"),
      HUB_MDNS_ENABLED: "false",
      // The four writers measure the hub's capacity, so the limit per terminal is raised; messages are still counted.
      HUB_MUTATION_RATE_MAX: "100000",
      ERP_URL: options.erpUrl ?? options.standIn.program.url,
      ...options.disk?.env,
      ...options.env,
    },
    nodeOptions: [...profile, ...(options.nodeOptions ?? [])],
    ...(options.readyWithinMs !== undefined && { readyWithinMs: options.readyWithinMs }),
  });
}

interface Health {
  lastErpSync: string | null;
  orders: number;
  pendingForward: number;
}

export async function health(url: string): Promise<Health> {
  const answer = await fetch(`${url}/health`);
  return (await answer.json()) as Health;
}

async function untilBackOfficeReached(program: Program): Promise<void> {
  const until = performance.now() + 15_000;
  while ((await health(program.url)).lastErpSync === null) {
    if (performance.now() > until) throw new Error(`the hub did not reach its back-office: ${program.errors()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Creates an API key with every scope and returns the headers that present it. */
export async function createKey(hubUrl: string, standIn: StandIn): Promise<Record<string, string>> {
  const scopes = ["read", "orders:write", "webhooks:manage", "plugins:write"];
  const { token } = await postJson<{ token: string }>(
    `${hubUrl}/external-keys`,
    { label: "bench", scopes },
    { authorization: `Bearer ${standIn.managerToken}` },
  );
  return { "x-api-key": token };
}

export async function postJson<T>(url: string, body: unknown, headers: Record<string, string> = {}): Promise<T> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${url}: ${answer.status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}
