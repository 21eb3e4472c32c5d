import { useStore } from "@comanda/ui/store.ts";
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { approvalRequest } from "../people/approval-request.ts";
import { focusWhereLost } from "../lib/page/focus-where-lost.ts";
import { ApprovalSheet } from "../features/staff/lazy-sheets.ts";
import { PersonChip } from "../features/staff/person-chip.tsx";
import { fetchingAhead, lazyPart } from "@comanda/ui/lazy-part.ts";
import { useLocation } from "wouter";
import { Navigation, PlaceHeading } from "./navigation.tsx";

const parts = () => fetchingAhead.then(() => import("./shell-parts.tsx"));
const NoticeChip = lazyPart(parts, "NoticeChip");
const OutboxBadge = lazyPart(parts, "OutboxBadge");
const PrintTrouble = lazyPart(parts, "PrintTrouble");
const Waiting = lazyPart(parts, "Waiting");

/** The frame of every screen: navigation, user and connection. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation("common");
  const isApprovalAsked = useStore(approvalRequest) !== null;
  const main = useRef<HTMLElement>(null);
  const [place] = useLocation();
  useEffect(() => focusWhereLost(main.current), [place]);
  return (
    <div className="shell">
      <header className="row shell-top">
        <Navigation />
        <OutboxBadge />
        <PersonChip />
      </header>
      <PrintTrouble />
      <main ref={main} className="shell-main" aria-label={t("screen")} tabIndex={-1}>
        <PlaceHeading />
        {children}
      </main>
      <NoticeChip />
      {isApprovalAsked && <ApprovalSheet />}
      <Waiting />
    </div>
  );
}
