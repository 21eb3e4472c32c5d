import { linesOf, sameLine, sameValue, type OrderContent } from "./order-content.ts";

/**
 * The hub has stored `accepted` in normalized form, as `stored`. Fields of `content` that still equal `accepted` take the
 * stored form, so a later comparison does not mistake normalization for another writer's change.
 */
export function adoptHubContent(content: OrderContent, accepted: OrderContent, stored: OrderContent): OrderContent {
  const adopted: OrderContent = { ...content };
  for (const field of new Set([...Object.keys(accepted), ...Object.keys(stored)])) {
    if (field !== "lines" && sameValue(content[field], accepted[field])) assign(adopted, field, stored[field]);
  }
  const inAccepted = new Map(linesOf(accepted).map((line) => [line.id, line]));
  const inStored = new Map(linesOf(stored).map((line) => [line.id, line]));
  adopted.lines = linesOf(content).map((line) => {
    const storedLine = inStored.get(line.id);
    return storedLine !== undefined && sameLine(line, inAccepted.get(line.id)) ? storedLine : line;
  });
  return adopted;
}

function assign(content: OrderContent, field: string, value: unknown): void {
  if (value === undefined) delete content[field];
  else content[field] = value;
}
