import { useFormat } from "@comanda/ui/format.ts";
import { useTextAt } from "@comanda/ui/use-now.ts";
import {
  IconArmchair,
  IconBellRinging,
  IconCalendar,
  IconCalendarExclamation,
  IconCircleDashed,
  IconClockPause,
  IconCloudUp,
  IconHourglass,
  IconLock,
  IconPencil,
  IconReceipt,
  IconStarFilled,
  IconFileText,
  IconToolsKitchen2,
  IconUser,
} from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { Link } from "wouter";
import { useTerminal } from "../../lib/connection/pos.ts";
import { useWait } from "../../lib/connection/use-wait.ts";
import type { TableCard, TableCardState } from "./table-card.ts";
import "../../components/table-tile.css";

/** A state has a colour, a shape and a word, so that colour alone is never needed. */
export const stateLooks: Record<TableCardState, { tone: string; Icon: typeof IconArmchair }> = {
  free: { tone: "idle", Icon: IconCircleDashed },
  booked: { tone: "accent", Icon: IconCalendar },
  due: { tone: "warn", Icon: IconCalendar },
  late: { tone: "bad", Icon: IconCalendarExclamation },
  open: { tone: "idle", Icon: IconArmchair },
  unsent: { tone: "warn", Icon: IconPencil },
  toSend: { tone: "warn", Icon: IconCloudUp },
  held: { tone: "accent", Icon: IconHourglass },
  sent: { tone: "accent", Icon: IconToolsKitchen2 },
  onPaper: { tone: "accent", Icon: IconFileText },
  ready: { tone: "good", Icon: IconBellRinging },
  bill: { tone: "bad", Icon: IconReceipt },
};

/** The state of a table in words, with a count or a duration where useful. */
export function StateWord({ card: { state, unsent, ready, held } }: { card: TableCard }) {
  const { t } = useTranslation(["floor", "check"]);
  const wait = useWait(state === "held" ? (held?.since ?? null) : null);
  if (state === "unsent") return t("unsent", { count: unsent });
  if (state === "ready") return t("ready", { count: ready });
  if (state !== "held" || held === null) return t(`state.${state}`);
  return wait === "" ? t("check:held", held) : t("heldFor", { ...held, wait });
}

/**
 * The age of a table's oldest check by the hub's clock, followed by `more`; no age without a check. A component of its own, so
 * that a passing minute does not render the tables around it.
 */
export function TableAge({ since, more }: { since: string | null; more: string }) {
  const format = useFormat();
  const terminal = useTerminal();
  // Each second computes only the minutes.
  const minutes = useTextAt(() =>
    since === null ? "" : String(Math.floor((terminal.now() - Date.parse(since)) / 60_000)),
  );
  return joinWithDots(minutes !== "" && format.durationShort(Number(minutes) * 60_000), more);
}

/** A table: its state in words and colour, its age and the amount due. One tap opens it. */
export function TableTile({
  card,
  shape,
  hasDue = true,
  isMuted = false,
}: {
  card: TableCard;
  shape?: string;
  /** Whether to draw the tile without its state's colour: another waiter's, while only the user's own stand out. */
  isMuted?: boolean;
  /** Whether the tile shows the amount due. */
  hasDue?: boolean;
}) {
  const { t, format } = useTranslation(["floor", "inUse", "check"]);
  const { tone, Icon } = stateLooks[card.state];
  return (
    <Link
      href={`/table/${card.tableId}`}
      className="table-tile"
      data-tone={tone}
      data-state={card.state}
      data-shape={shape}
      data-muted={isMuted}
    >
      <strong className="table-name">{card.name}</strong>
      <span className="table-state">
        <Icon size={16} aria-hidden />
        <span>
          <StateWord card={card} />
        </span>
      </span>
      {card.checks.length > 0 && (
        <span className="table-facts">
          <TableAge
            since={card.since}
            more={joinWithDots(
              hasDue && format.money(card.due),
              // A check also has one guest if the guests were not counted.
              card.guests > 1 && t("guests", { count: card.guests }),
              card.checks.length > 1 && t("checks", { count: card.checks.length }),
            )}
          />
        </span>
      )}
      {card.joined.length > 0 && (
        <span className="table-facts">{t("joined", { names: format.list(card.joined) })}</span>
      )}
      {card.booking !== null && (
        <span className="table-facts">
          {format.time(card.booking.reservation.at)} · {card.booking.reservation.guestName}
        </span>
      )}
      {card.usedBy !== null ? (
        <Holder
          Icon={card.isWaiting ? IconClockPause : IconPencil}
          name={card.usedBy}
          label={t(card.isWaiting ? "inUse:waitsFor" : "inUse:usedBy", { name: card.usedBy })}
          isOnPlan={shape !== undefined}
        />
      ) : (
        card.people.length > 0 && (
          <span className="table-people">
            <IconUser size={14} aria-label={t("here")} />
            {format.list(card.people)}
          </span>
        )
      )}
      <Owner card={card} />
      {card.lockedBy !== null && (
        <Holder
          Icon={IconLock}
          name={card.lockedBy}
          label={t("check:lockedBy", { name: card.lockedBy })}
          isOnPlan={shape !== undefined}
        />
      )}
    </Link>
  );
}

/** Marks the user's own table with a word and a star, or names its waiters. */
function Owner({ card: { staff, isMine } }: { card: TableCard }) {
  const { t, format } = useTranslation("floor");
  if (staff.length === 0) return null;
  return (
    <span className="table-staff" data-mine={isMine}>
      {isMine ? (
        <>
          <IconStarFilled size={12} aria-hidden /> {t("mine")}
        </>
      ) : (
        t("servedBy", { names: format.list(staff) })
      )}
    </span>
  );
}

/** The user of the table or its check: on the plan an icon and the name, in a list the whole sentence. */
function Holder({
  Icon,
  name,
  label,
  isOnPlan,
}: {
  Icon: typeof IconLock;
  name: string;
  label: string;
  isOnPlan: boolean;
}) {
  return (
    <span className="table-people" data-whole={!isOnPlan}>
      <Icon size={14} aria-hidden />
      {isOnPlan ? (
        <>
          <span aria-hidden>{name}</span>
          <span className="visually-hidden">{label}</span>
        </>
      ) : (
        label
      )}
    </span>
  );
}
