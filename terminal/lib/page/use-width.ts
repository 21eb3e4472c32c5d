import { useMatch } from "@comanda/ui/use-match.ts";

/** Layout by the width of the window: a phone, a tablet or a PC. */
export type Width = "phone" | "tablet" | "pc";

const tablet = matchMedia("(min-width: 600px)");
const pc = matchMedia("(min-width: 1100px)");

export function useWidth(): Width {
  const [isTablet, isPc] = [useMatch(tablet), useMatch(pc)];
  return isPc ? "pc" : isTablet ? "tablet" : "phone";
}
