import { toCents } from "@comanda/rules";
import { transact, type Db } from "../db/open.ts";
import { fiscalDay } from "../world.ts";
import { categories, modifiers } from "./catalog.ts";
import { floors } from "./floors.ts";
import { customers } from "./customers.ts";

const ncfTypes = ["B01", "B02", "B04", "E31", "E32", "E34"];
const numbersEach = 5000;

/** Fills an empty file with the restaurant "demo" and an open POS session. A file with data stays unchanged. */
export function seed(db: Db, nowMs: number): void {
  transact(db, () => {
    if (db.prepare("SELECT 1 FROM setting LIMIT 1").get() !== undefined) return;
    seedSettings(db, nowMs);
    seedFloors(db);
    seedCatalog(db);
    seedCustomers(db);
    seedNcfSequences(db, nowMs);
  });
}

function seedSettings(db: Db, nowMs: number): void {
  const setting = db.prepare("INSERT INTO setting (name, value) VALUES (?, ?)");
  setting.run("restaurant", "demo");
  setting.run("hub_mode", "true");
  setting.run("hub_address", "ws://127.0.0.1:8766");
  db.prepare("INSERT INTO pos_session (opened_at) VALUES (?)").run(nowMs);
}

function seedFloors(db: Db): void {
  const insertFloor = db.prepare("INSERT INTO floor (id, name, layout_mode) VALUES (@id, @name, @layoutMode)");
  const insertTable = db.prepare(`
    INSERT INTO restaurant_table (id, floor_id, name, seats, x, y, width, height, shape)
    VALUES (@id, @floorId, @name, @seats, @x, @y, @width, @height, @shape)`);
  for (const { tables, ...floor } of floors) {
    insertFloor.run(floor);
    for (const table of tables) insertTable.run({ ...table, floorId: floor.id });
  }
}

function seedCatalog(db: Db): void {
  const insertCategory = db.prepare("INSERT INTO category (id, name) VALUES (?, ?)");
  const insertProduct = db.prepare(
    "INSERT INTO product (id, name, price_cents, category_id, tax_ids, modifiers) VALUES (?, ?, ?, ?, ?, ?)",
  );
  let productId = 101;
  for (const category of categories) {
    insertCategory.run(category.id, category.name);
    for (const [name, price, taxIds = category.taxIds] of category.products) {
      const productModifiers = JSON.stringify(modifiers[name] ?? []);
      insertProduct.run(productId, name, toCents(price), category.id, JSON.stringify(taxIds), productModifiers);
      productId += 1;
    }
  }
}

function seedCustomers(db: Db): void {
  const insert = db.prepare(`
    INSERT INTO customer (id, name, rnc, phone, credit_limit_cents) VALUES (@id, @name, @rnc, @phone, @limitCents)`);
  for (const { creditLimit, ...customer } of customers) insert.run({ ...customer, limitCents: toCents(creditLimit) });
}

/** Ranges are valid until 31 December of the year after their authorisation. */
function seedNcfSequences(db: Db, nowMs: number): void {
  const expiresOn = `${Number(fiscalDay(nowMs).slice(0, 4)) + 1}-12-31`;
  const insert = db.prepare(
    "INSERT INTO ncf_sequence (type, next_number, last_number, expires_on) VALUES (?, 1, ?, ?)",
  );
  for (const type of ncfTypes) insert.run(type, numbersEach, expiresOn);
}
