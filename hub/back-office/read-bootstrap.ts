import {
  BackOfficeCategory,
  BackOfficeProduct,
  BackOfficeTable,
  BootstrapAnswer,
  FloorLayoutMode,
  NcfSequence,
  OrderType,
  PaymentMethod,
  PaymentMethodType,
} from "@comanda/protocol";
import type { z } from "zod";
import { describeIssues } from "../platform/describe-issues.ts";
import { parse } from "./read-answer.ts";

type Fields = Record<string, unknown>;

/** Dishes that bear taxes are not sold without any: a list of taxes that is missing or empty is no answer then. */
const TaxedBootstrap = BootstrapAnswer.refine(
  ({ config }) => config.taxes.length > 0 || config.products.every(({ taxIds }) => taxIds.length === 0),
  { path: ["config", "taxes"], error: "products name taxes, and there are none" },
);

/** `leftOut` names the records that could not be read, and dishes whose taxes are not all told, each with its reason. */
export type ReadBootstrap = BootstrapAnswer & { leftOut: string[] };

/**
 * Reads what bootstrap answers. A back-office need not name everything that ours does, and Odoo writes `false` for what it
 * does not have: what no decision of the hub hangs on gets a default, and a dish or a table that cannot be read is left
 * out, so that one record does not keep the restaurant from opening checks; where no dish can be read, the menu that is
 * known is the better one. The session and the floors must be told: an answer that was cut short closes no session. Throws
 * a BackOfficeError.
 */
export function readBootstrap(value: unknown): ReadBootstrap {
  const whole = TaxedBootstrap.safeParse(value);
  if (whole.success) return { ...whole.data, leftOut: untaxed(whole.data) };
  const leftOut: string[] = [];
  const answer = parse(TaxedBootstrap, completed(value, leftOut));
  return { ...answer, leftOut: [...leftOut, ...untaxed(answer)] };
}

/**
 * Dishes that name taxes which are not in the list. They are sold with the others: a back-office of several companies may
 * name those of another one, and without these dishes service would stop.
 */
function untaxed({ config: { taxes, products } }: BootstrapAnswer): string[] {
  const known = new Set(taxes.map(({ id }) => id));
  return products.flatMap(({ id, taxIds }) => {
    const missing = taxIds.filter((taxId) => !known.has(taxId));
    return missing.length === 0
      ? []
      : [`product ${id}: it is sold without its taxes ${missing.join(", ")}: not listed`];
  });
}

function completed(value: unknown, leftOut: string[]): unknown {
  if (!isFields(value) || !isFields(value["config"])) return value;
  const { session, minClientVersion } = value;
  return {
    ...withSequences(value, leftOut),
    config: completedConfig(value["config"], leftOut),
    session: isFields(session) ? named(filled(session, { state: "opened" })) : session === false ? null : session,
    minClientVersion: typeof minClientVersion === "string" ? minClientVersion : null,
  };
}

function completedConfig(config: Fields, leftOut: string[]): Fields {
  const { floors } = config;
  return {
    ...withSequences(filled(config, { id: 0, name: "", currency: "DOP", hubAddress: "" }), leftOut),
    hubMode: config["hubMode"] ?? true,
    floors: Array.isArray(floors) ? floors.map((floor: unknown) => completedFloor(floor, leftOut)) : floors,
    taxes: completedTaxes(config["taxes"]),
    products: orWhole(config["products"], (products) =>
      readable("product", BackOfficeProduct, products, leftOut, { categoryId: 0, taxIds: [] }),
    ),
    categories: readable("category", BackOfficeCategory, config["categories"], leftOut),
    paymentMethods: orWhole(withTypes(config["paymentMethods"]), (methods) =>
      readable("payment method", PaymentMethod, methods, leftOut),
    ),
  };
}

/** A dish is not sold without a tax of it because that cannot be read: such an answer is refused. */
function completedTaxes(taxes: unknown): unknown {
  return orWhole(taxes, (records) =>
    records.map((tax) => (isFields(tax) ? named(filled(tax, { orderTypes: OrderType.options })) : tax)),
  );
}

function completedFloor(floor: unknown, leftOut: string[]): unknown {
  if (!isFields(floor)) return floor;
  const place = { seats: 0, x: 0, y: 0, width: 100, height: 100, shape: "square", state: "available" };
  return {
    ...named(floor),
    layoutMode: FloorLayoutMode.safeParse(floor["layoutMode"]).data ?? "free",
    tables: readable("table", BackOfficeTable, floor["tables"], leftOut, place),
  };
}

/** Only cash gives change, and only `pay_later` is credit: a type that we do not know is as a card. */
function withTypes(methods: unknown): unknown {
  if (!Array.isArray(methods)) return methods;
  return methods.map((method: unknown) =>
    isFields(method) ? { ...method, type: PaymentMethodType.safeParse(method["type"]).data ?? "bank" } : method,
  );
}

function withSequences(record: Fields, leftOut: string[]): Fields {
  const { ncfSequences, ...rest } = record;
  if (!Array.isArray(ncfSequences)) return rest;
  return { ...rest, ncfSequences: readable("fiscal sequence", NcfSequence, ncfSequences, leftOut) };
}

/** A list of which something can be read; else as it is, so that it is refused: the last good copy serves better. */
function orWhole(list: unknown, read: (records: unknown[]) => unknown[]): unknown {
  if (!Array.isArray(list)) return (list ?? false) === false ? [] : list;
  const found = read(list);
  return found.length > 0 ? found : list;
}

/** The records that can be read, with defaults for what they lack. */
function readable(
  what: string,
  schema: z.ZodType,
  records: unknown,
  leftOut: string[],
  defaults: Fields = {},
): unknown[] {
  if (!Array.isArray(records)) return [];
  return records.flatMap((record: unknown) => {
    const whole = isFields(record) ? named(filled(record, defaults)) : record;
    const { error } = schema.safeParse(whole);
    if (error === undefined) return [whole];
    leftOut.push(
      `${what} ${isFields(record) ? String(record["id"] ?? record["type"]) : "?"}: ${describeIssues(error)}`,
    );
    return [];
  });
}

/** With the defaults in place of what is absent, null or, as Odoo says it, false. */
function filled(record: Fields, defaults: Fields): Fields {
  const missing = Object.entries(defaults).filter(([key]) => (record[key] ?? false) === false);
  return { ...record, ...Object.fromEntries(missing) };
}

/** A table's name is often its number. Without a name a record is called by its id. */
function named(record: Fields): Fields {
  const name = (record["name"] || record["id"]) ?? "";
  return { ...record, name: typeof name === "number" ? String(name) : name };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
