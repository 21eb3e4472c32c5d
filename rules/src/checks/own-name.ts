/** What a line itself says that its dish is called; undefined where only the menu knows, as of what an integrator sends. */
export function ownName(line: Readonly<Record<string, unknown>>): string | undefined {
  return [line["name"], line["productName"]].find((name): name is string => typeof name === "string" && name !== "");
}
