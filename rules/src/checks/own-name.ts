/** Returns the dish name on the line itself. Undefined if only the menu has it, as for an integrator's line. */
export function ownName(line: Readonly<Record<string, unknown>>): string | undefined {
  return [line["name"], line["productName"]].find((name): name is string => typeof name === "string" && name !== "");
}
