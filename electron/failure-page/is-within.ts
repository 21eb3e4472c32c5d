import type { DesktopHubSetting } from "@comanda/protocol";

/** Whether the hub accepts a value, as far as its bounds tell: of money with cents, of all else whole. */
export function isWithin({ input }: Pick<DesktopHubSetting, "input">, value: string): boolean {
  if (!("min" in input) || value === "") return true;
  const form = input.kind === "money" ? /^\d+(\.\d{1,2})?$/ : /^\d+$/;
  return form.test(value) && Number(value) >= input.min && Number(value) <= input.max;
}
