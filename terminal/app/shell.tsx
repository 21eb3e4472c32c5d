import { useStore } from "@comanda/ui/store.ts";
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { NoticeChip } from "../components/notice-chip.tsx";
import { approvalRequest } from "../people/approval-request.ts";
import { focusWhereLost } from "../lib/page/focus-where-lost.ts";
import { PersonChip } from "../features/staff/person-chip.tsx";
import { lazyPart } from "@comanda/ui/lazy-part.ts";
import { useLocation } from "wouter";
import { Navigation, PlaceHeading } from "./navigation.tsx";

const parts = () => import("./shell-parts.ts");
const OutboxBadge = lazyPart(async () => (await parts()).OutboxBadge);
const PinAgain = lazyPart(async () => (await parts()).PinAgain);
const PrintTrouble = lazyPart(async () => (await parts()).PrintTrouble);
const RingReady = lazyPart(async () => (await parts()).RingReady);
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
      <PinAgain />
      <RingReady />
    </div>
  );
}
