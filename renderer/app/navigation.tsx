import {
  IconArmchair,
  IconBuildingBank,
  IconCalendarEvent,
  IconCashRegister,
  IconChartBar,
  IconDeviceTablet,
  IconPlugConnected,
  IconPrinter,
  IconReceipt,
  IconSettings,
  IconToolsKitchen2,
} from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import type { Overview } from "@comanda/protocol";
import { useHub } from "../lib/hub.ts";

interface ScreenLink {
  name:
    | "service"
    | "orders"
    | "today"
    | "terminals"
    | "kitchen"
    | "tills"
    | "backOffice"
    | "integrations"
    | "reservations"
    | "printers"
    | "system";
  path: string;
  Icon: typeof IconArmchair;
  /** Returns how many things on the screen need attention. */
  pending?: (overview: Overview) => number;
}

const screens: readonly ScreenLink[] = [
  { name: "service", path: "/", Icon: IconArmchair },
  { name: "orders", path: "/orders", Icon: IconReceipt },
  { name: "today", path: "/today", Icon: IconChartBar },
  { name: "terminals", path: "/terminals", Icon: IconDeviceTablet, pending: (now) => now.terminals.unsent.terminals },
  { name: "kitchen", path: "/kitchen", Icon: IconToolsKitchen2, pending: (now) => now.kitchen.late },
  { name: "tills", path: "/tills", Icon: IconCashRegister },
  {
    name: "backOffice",
    path: "/back-office",
    Icon: IconBuildingBank,
    pending: (now) =>
      now.forward.attention + now.unappliedPayments + now.keptChanges + now.fiscal.failed + now.fiscal.receipts,
  },
  {
    name: "integrations",
    path: "/integrations",
    Icon: IconPlugConnected,
    pending: (now) => now.webhooks?.deadLettered ?? 0,
  },
  { name: "reservations", path: "/reservations", Icon: IconCalendarEvent },
  { name: "printers", path: "/printers", Icon: IconPrinter, pending: (now) => now.openPrints },
  { name: "system", path: "/system", Icon: IconSettings },
];

/** Returns the name of the screen at an address, which is a key of the shell's texts. */
export function screenNameOf(location: string): ScreenLink["name"] | "notFoundTitle" {
  const screen = screens.find(({ path }) => isAt(path, location));
  return screen?.name ?? "notFoundTitle";
}

function isAt(path: string, location: string): boolean {
  return location === path || (path !== "/" && location.startsWith(`${path}/`));
}

/** Returns how many things need attention on all screens. */
export function pendingCount(overview: Overview): number {
  return screens.reduce((sum, { pending }) => sum + (pending?.(overview) ?? 0), 0);
}

export function Navigation({ current, onChoose }: { current: string; onChoose: () => void }) {
  const { t } = useTranslation("shell");
  const { data: overview } = useHub("overview");
  return (
    <ul className="plain-list stack nav-list">
      {screens.map(({ name, path, Icon, pending }) => {
        const count = overview === undefined ? 0 : (pending?.(overview) ?? 0);
        return (
          <li key={name}>
            <Link
              href={path}
              className="row nav-link"
              aria-current={isAt(path, current) ? "page" : undefined}
              onClick={onChoose}
            >
              <Icon size={19} stroke={1.8} aria-hidden />
              <span className="nav-name">{t(name)}</span>
              {count > 0 && (
                <span className="nav-count">
                  <span aria-hidden>{count}</span>
                  <span className="visually-hidden">{t("attention", { count })}</span>
                </span>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
