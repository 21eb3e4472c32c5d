import {
  IconArmchair,
  IconBellRinging,
  IconCalendarEvent,
  IconWallet,
  IconChefHat,
  IconDots,
  IconReceipt,
  IconShoppingBag,
} from "@tabler/icons-react";
import { useStore } from "@comanda/ui/store.ts";
import { useState } from "react";
import { lazyPart } from "@comanda/ui/lazy-part.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link, useLocation, useRoute } from "wouter";
import { isBadgeShown } from "../features/conflicts/badge-shown.ts";
import { desktopTerminal } from "../lib/device/desktop.ts";
import { readDevice } from "../lib/device/device.ts";
import { useHasTables } from "../lib/connection/has-tables.ts";
import { useLive } from "../lib/connection/pos.ts";
import { useMatch } from "@comanda/ui/use-match.ts";
import { useWidth } from "../lib/page/use-width.ts";

/** Sheets open on top of a screen, so their code loads after it. */
const Sheet = lazyPart(() => import("../components/sheet.tsx"), "Sheet");
const ThisPcButton = lazyPart(() => import("../features/desktop/this-pc-button.tsx"), "ThisPcButton");

const places = [
  // Waiters with a drawer go there between two tables, so it comes right after the start screen.
  { path: "/till", text: "till", Icon: IconWallet, needs: "till" },
  { path: "/floor", text: "floor", Icon: IconArmchair, needs: "tables" },
  { path: "/takeaway", text: "takeaway", Icon: IconShoppingBag },
  { path: "/recent", text: "recent", Icon: IconReceipt },
  { path: "/kitchen", text: "kitchen", Icon: IconChefHat },
  { path: "/expo", text: "expo", Icon: IconBellRinging },
  { path: "/host", text: "host", Icon: IconCalendarEvent, needs: "tables" },
] as const;

/** Number of links that fit beside the user; the others are in the menu. */
const roomFor = { phone: 3, tablet: 4, pc: places.length } as const;
/** Number of links that fit beside the badge. */
const roomBesideBadge = { phone: 2, tablet: 3, pc: places.length } as const;
/** A phone narrower than this has room for one link less: without the badge, and with it. */
const roomy = [matchMedia("(min-width: 350px)"), matchMedia("(min-width: 390px)")] as const;

/** The links to all screens, the device's start screen first. Rights restrict acts, not screens. */
export function Navigation() {
  const { t } = useTranslation("common");
  const width = useWidth();
  const [isOpen, setOpen] = useState(false);
  const { id, startScreen } = readDevice();
  const start = `/${startScreen}`;
  const hasTill = useLive("tills").some(({ terminals }) => terminals.includes(id));
  const has = { till: hasTill, tables: useHasTables() };
  const own = places.filter((place) => !("needs" in place) || has[place.needs]);
  const ordered = [...own.filter(({ path }) => path === start), ...own.filter(({ path }) => path !== start)];
  const hasBadge = useStore(isBadgeShown);
  const room = hasBadge ? roomBesideBadge[width] : roomFor[width];
  const isRoomy = useMatch(roomy[hasBadge ? 1 : 0]);
  const shown = ordered.slice(0, isRoomy ? room : room - 1);
  const others = ordered.slice(shown.length);
  return (
    <nav className="shell-nav" aria-label={t("screens")}>
      {shown.map((place) => (
        <PlaceLink key={place.path} place={place} />
      ))}
      {others.length > 0 && (
        <button type="button" className="shell-place" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <IconDots size={22} aria-hidden />
          <span>{t("more")}</span>
        </button>
      )}
      {isOpen && (
        <Sheet title={t("screens")} onClose={() => setOpen(false)}>
          <div className="rows shell-others">
            {others.map((place) => (
              <PlaceLink key={place.path} place={place} onGo={() => setOpen(false)} />
            ))}
          </div>
        </Sheet>
      )}
      {desktopTerminal() !== null && <ThisPcButton className="shell-place" />}
    </nav>
  );
}

/** The heading of screens without a title of their own, for screen readers. */
export function PlaceHeading() {
  const { t } = useTranslation("common");
  const [location] = useLocation();
  const place = places.find(({ path }) => path === location);
  return place === undefined ? null : <h1 className="visually-hidden">{t(place.text)}</h1>;
}

function PlaceLink({ place: { path, text, Icon }, onGo }: { place: (typeof places)[number]; onGo?: () => void }) {
  const { t } = useTranslation("common");
  const [isHere] = useRoute(path);
  return (
    <Link
      href={path}
      className="shell-place"
      aria-current={isHere ? "page" : undefined}
      {...(onGo === undefined ? {} : { onClick: onGo })}
    >
      <Icon size={22} aria-hidden />
      <span>{t(text)}</span>
    </Link>
  );
}
