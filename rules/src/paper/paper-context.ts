import type { Company, PosConfig, StoredLine } from "@comanda/protocol";
import { ownName } from "../checks/own-name.ts";
import type { TaxRules } from "../money/pricing/taxes-by-name.ts";
import { createPaperFormat, type PaperFormat } from "./paper-format.ts";

/** What documents need beyond their check: the seller, and the names of tables, dishes and payment methods. */
export interface PaperContext {
  company: Company;
  taxes: TaxRules;
  format: PaperFormat;
  tableName(tableId: number): string;
  dishName(line: StoredLine): string;
  methodName(methodId: number | string): string;
}

type PaperConfig = Pick<PosConfig, "currency" | "taxes" | "products" | "paymentMethods"> &
  Partial<Pick<PosConfig, "name" | "rounding" | "company" | "floors">>;

/** Builds it from the back-office's configuration; null if that was never read. */
export function createPaperContext(config: PaperConfig | null, timeZone: string): PaperContext {
  const tables = new Map(config?.floors?.flatMap((floor) => floor.tables.map(({ id, name }) => [id, name])));
  const products = new Map(config?.products.map(({ id, name }) => [String(id), name]));
  const methods = new Map(config?.paymentMethods.map(({ id, name }) => [String(id), name]));
  return {
    company: config?.company ?? { name: config?.name ?? "" },
    taxes: { taxes: config?.taxes ?? [], rounding: config?.rounding },
    format: createPaperFormat({ currency: config?.currency ?? "DOP", timeZone }),
    tableName: (tableId) => tables.get(tableId) ?? String(tableId),
    dishName: (line) => ownName(line) ?? products.get(String(line.productId)) ?? String(line.productId ?? line.id),
    methodName: (methodId) => methods.get(String(methodId)) ?? String(methodId),
  };
}
