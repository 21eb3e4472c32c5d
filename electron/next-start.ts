import { hiddenSwitch } from "./settings/login-item.ts";

/**
 * What the app is told when it starts itself again: what this start was told, above all which profile it uses. What was said
 * for one start alone does not hold for the next: to be hidden, and the role, which is saved by then.
 */
export function argumentsOfNextStart(argv: readonly string[]): string[] {
  return argv.slice(1).filter((arg) => arg !== hiddenSwitch && !/^--role(=|$)/.test(arg));
}
