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

/** Rejects an answer without taxes if any product has taxes, so that taxed products are not sold without tax. */
const TaxedBootstrap = BootstrapAnswer.refine(
  ({ config }) => config.taxes.length > 0 || config.products.every(({ taxIds }) => taxIds.length === 0),
  { path: ["config", "taxes"], error: "products name taxes, and there are none" },
);

/** `leftOut` describes the records that could not be read, and the products with unknown taxes. */
export type ReadBootstrap = BootstrapAnswer & { leftOut: string[] };

/**
 * Reads the answer of bootstrap. A back-office may omit fields, and Odoo writes `false` for missing values. Fields that no
 * decision depends on get a default. A product or table that cannot be read is left out, so that one record does not stop the
 * restaurant. If no product can be read, the answer is rejected, and the previous menu stays in use. The session and the
 * floors are required, so that a truncated answer does not close the session. Throws a BackOfficeError.
 */
export function readBootstrap(value: unknown): ReadBootstrap {
  const whole = TaxedBootstrap.safeParse(value);
  if (whole.success) return { ...whole.data, leftOut: untaxed(whole.data) };
  const leftOut: string[] = [];
  const answer = parse(TaxedBootstrap, completed(value, leftOut));
  return { ...answer, leftOut: [...leftOut, ...untaxed(answer)] };
}

/**
 * Describes products with taxes that are not in the list. They stay on sale with their other taxes, because a back-office with
 * several companies may refer to taxes of another company.
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
    products: readList(config["products"], (products) =>
      readable("product", BackOfficeProduct, products, leftOut, { categoryId: 0, taxIds: [] }),
    ),
    categories: readable("category", BackOfficeCategory, config["categories"], leftOut),
    paymentMethods: readList(withTypes(config["paymentMethods"]), (methods) =>
      readable("payment method", PaymentMethod, methods, leftOut),
    ),
  };
}

/** Does not leave out invalid taxes, so that the answer is rejected: products must not be sold without them. */
function completedTaxes(taxes: unknown): unknown {
  return readList(taxes, (records) =>
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

/** Treats unknown types of payment methods as `bank`: only cash gives change, and only `pay_later` is credit. */
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

/** Returns the readable records of a list. If none is readable, returns the list, so that the answer is rejected. */
function readList(list: unknown, read: (records: unknown[]) => unknown[]): unknown {
  if (!Array.isArray(list)) return (list ?? false) === false ? [] : list;
  const found = read(list);
  return found.length > 0 ? found : list;
}

/** Returns the records that match the schema after defaults are applied. Adds the others to `leftOut`. */
function readable(
  label: string,
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
      `${label} ${isFields(record) ? String(record["id"] ?? record["type"]) : "?"}: ${describeIssues(error)}`,
    );
    return [];
  });
}

/** Applies defaults to fields that are missing, null or, as in Odoo's answers, false. */
function filled(record: Fields, defaults: Fields): Fields {
  const missing = Object.entries(defaults).filter(([key]) => (record[key] ?? false) === false);
  return { ...record, ...Object.fromEntries(missing) };
}

/** Converts a numeric name, as tables often have, to a string. Uses the id if there is no name. */
function named(record: Fields): Fields {
  const name = (record["name"] || record["id"]) ?? "";
  return { ...record, name: typeof name === "number" ? String(name) : name };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
