import { useStore } from "@comanda/ui/store.ts";
import { useMemo } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useReadyTickets } from "../../checks/ready-dishes.ts";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { useWidth } from "../../lib/page/use-width.ts";
import { ExpoCard } from "./expo/expo-card.tsx";
import { expoGroups, sameAddressed, wasServed, type ExpoGroup } from "./expo/expo-groups.ts";
import { kitchenDevice } from "./device/kitchen-device.ts";
import { StaleBar } from "./device/stale-bar.tsx";
import { useKitchenActs } from "./tickets/use-kitchen-acts.ts";
import { useSlots } from "./tickets/use-slots.ts";
import "./kitchen.css";
import "./sheets/kitchen-sheets.css";
import "./tickets/ticket.css";

/** The dishes ready and missing by check; where there is room, a rail lists checks with nothing ready. */
export function ExpoScreen() {
  const { t } = useTranslation("kitchenMore");
  const width = useWidth();
  const terminal = useTerminal();
  const tickets = useLive("tickets");
  const recent = useLive("recentTickets");
  const { isWall } = useStore(kitchenDevice);
  const acts = useKitchenActs();
  const ticketsAtPass = useReadyTickets();
  const groups = useMemo(() => expoGroups(ticketsAtPass), [ticketsAtPass]);
  const ready = useMemo(() => groups.filter((group) => group.ready.length > 0), [groups]);
  const waiting = groups.filter((group) => group.ready.length === 0);
  const timed = useMemo(() => sameAddressed(groups), [groups]);
  const slots = useSlots<ExpoGroup>(ready);
  const doneText = (group: ExpoGroup) =>
    wasServed(group, [...tickets, ...recent], terminal.now()) ? t("takeAll") : t("notHere");
  return (
    <div className="kitchen expo" data-width={width} data-wall={isWall || undefined}>
      <div className="kitchen-bars">
        <StaleBar />
      </div>
      <section className="board" aria-label={t("readyList")}>
        {slots.length === 0 && <p className="kitchen-empty">{t("nothingReady")}</p>}
        {slots.map(({ item, doneAt }) => (
          <ExpoCard
            key={item.id}
            group={item}
            isTimed={timed.has(item.id)}
            done={doneAt === null ? null : doneText(item)}
            acts={acts}
          />
        ))}
      </section>
      {width !== "phone" && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and has nothing that a key could reach
        <aside className="kitchen-rail" aria-label={t("inWork")} tabIndex={0}>
          <h2>{t("inWork")}</h2>
          {waiting.map((group) => (
            <ExpoCard key={group.id} group={group} isTimed={timed.has(group.id)} done={null} acts={acts} />
          ))}
        </aside>
      )}
    </div>
  );
}
