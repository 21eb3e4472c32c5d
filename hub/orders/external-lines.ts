import { ExternalLine, kitchenFieldNames, type StoredLine } from "@comanda/protocol";
import { hasOtherProduct, isWithKitchen } from "@comanda/rules";
import type { World } from "../platform/world.ts";

const ownFields: ReadonlySet<string> = new Set(Object.keys(ExternalLine.shape));

/**
 * Converts an integrator's lines to stored lines. Adds missing ids, different from those in `stored`, and the tax fields that
 * the back-office requires on every line.
 */
export function externalLines(
  world: World,
  lines: readonly ExternalLine[],
  stored: readonly StoredLine[] = [],
): StoredLine[] {
  const usedIds = new Set([...stored, ...lines].flatMap((line) => line.id ?? []));
  const random = lines.every((line) => line.id !== undefined) ? Buffer.alloc(0) : world.random.bytes(2 * lines.length);
  return lines.map((line, index) => {
    const id = line.id ?? freeId(world, index, random.toString("hex", 2 * index, 2 * index + 2), usedIds);
    usedIds.add(id);
    return { ...line, id, taxIds: line.taxIds ?? [], taxAmount: line.taxAmount ?? 0 };
  });
}

/**
 * Copies the fields that an integrator cannot send (a void, a discount, a name) from the stored line with the same id, unless it
 * has another product: what was said of one dish does not hold for another.
 */
export function withForeignFields(stored: readonly StoredLine[], next: readonly StoredLine[]): StoredLine[] {
  const storedById = new Map(stored.map((line) => [line.id, line]));
  return next.map((requested) => {
    const before = storedById.get(requested.id);
    if (before === undefined) return requested;
    const line = isProductless(before) ? withoutProduct(requested) : requested;
    if (hasOtherProduct(line, before)) return line;
    const foreign = Object.entries(before).filter(([field]) => !ownFields.has(field) && !kitchenFields.has(field));
    return { ...line, ...Object.fromEntries(foreign) };
  });
}

/** A terminal sent it without a product, which an integrator has to name in every line. */
function isProductless(line: StoredLine): boolean {
  return isWithKitchen(line) && line.productId === undefined;
}

function withoutProduct(line: StoredLine): StoredLine {
  const { productId: _, ...others } = line;
  return others;
}

const kitchenFields: ReadonlySet<string> = new Set(kitchenFieldNames);

function freeId(world: World, index: number, suffix: string, usedIds: ReadonlySet<string>): string {
  const id = `ext-${index}-${suffix}`;
  return usedIds.has(id) ? freeId(world, index, world.random.bytes(2).toString("hex"), usedIds) : id;
}
