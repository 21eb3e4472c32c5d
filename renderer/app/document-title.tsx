import { useEffect } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLocation } from "wouter";
import { useHub } from "../lib/hub.ts";
import { useConnection } from "../lib/live.ts";
import { pendingCount, screens } from "./navigation.tsx";

/**
 * Names the browser's tab: the order or screen, the restaurant, and in front how many things need attention, or a mark
 * while the hub cannot be reached.
 */
export function DocumentTitle() {
  const { t } = useTranslation(["shell", "service"]);
  const [location] = useLocation();
  const { data: overview } = useHub("overview");
  const isLost = useConnection().state === "lost";
  const screen = screens.find(({ path }) => path !== "/" && location.startsWith(path));
  const name = location === "/wall" ? t("service:wall") : t(`shell:${screen?.name ?? "service"}`);
  const [, , reference] = screen?.name === "orders" ? location.split("/") : [];
  const count = overview === undefined ? 0 : pendingCount(overview);
  const mark = isLost ? "⚠ " : count > 0 ? `(${count}) ` : "";
  const parts = [reference === undefined ? null : readable(reference), name, overview?.hub.name ?? "Comanda Hub"];
  const title = mark + parts.filter(Boolean).join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
}

function readable(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
