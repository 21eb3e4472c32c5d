import type { DesktopHubSetting } from "@comanda/protocol";

/** Whether a value is within the hub's bounds. Money may have cents; other numbers must be whole. */
export function isWithin({ input }: Pick<DesktopHubSetting, "input">, value: string): boolean {
  if (!("min" in input) || value === "") return true;
  const form = input.kind === "money" ? /^\d+(\.\d{1,2})?$/ : /^\d+$/;
  return form.test(value) && Number(value) >= input.min && Number(value) <= input.max;
}
