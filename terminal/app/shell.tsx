import { useStore } from "@comanda/ui/store.ts";
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { approvalRequest } from "../people/approval-request.ts";
import { focusWhereLost } from "../lib/page/focus-where-lost.ts";
import { PersonChip } from "../features/staff/person-chip.tsx";
import { fetchingAhead, lazyPart } from "@comanda/ui/lazy-part.ts";
import { useLocation } from "wouter";
import { Navigation, PlaceHeading } from "./navigation.tsx";

const parts = () => fetchingAhead.then(() => import("./shell-parts.tsx"));
const NoticeChip = lazyPart(async () => (await parts()).NoticeChip);
const OutboxBadge = lazyPart(async () => (await parts()).OutboxBadge);
const PrintTrouble = lazyPart(async () => (await parts()).PrintTrouble);
const Waiting = lazyPart(async () => (await parts()).Waiting);
const ApprovalSheet = lazyPart(async () => (await import("../features/staff/approval-sheet.tsx")).ApprovalSheet);

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
