import { isActive, type StoredLine } from "@comanda/protocol";
import { stationOf } from "@comanda/rules";
import type { LocalOrder, Mutation, Terminal } from "@comanda/terminal";
import { translator } from "@comanda/ui/translation.ts";
import type { MenuIndex } from "../lib/menu/menu-index.ts";
import { menuOf } from "../lib/menu/use-menu.ts";
import { editLeaseOf } from "../lib/connection/edit-lease.ts";
import { otherHolderOn } from "../lib/connection/in-use.ts";
import { discardRefused } from "../lib/page/discard-refused.ts";
import { hideNotice, notices, showNotice } from "../lib/page/notices.ts";
import { attempt } from "../lib/page/show-refusal.ts";
import { countUnsent, dishName, isHeld, isUnsent, toSend } from "./check-lines.ts";
import { showSent } from "./undo-send.ts";

/** Counts the pieces to send by station; `name` is null for lines without a station. */
export function countsByStation(
  lines: readonly StoredLine[],
  menu: MenuIndex,
): { name: string | null; quantity: number }[] {
  const counts = new Map<string | null, number>();
  for (const line of lines) {
    const name = stationOf(menu.menu.stations, line, menu.product(line.productId))?.name ?? null;
    counts.set(name, (counts.get(name) ?? 0) + countUnsent([line]));
  }
  return [...counts].map(([name, quantity]) => ({ name, quantity }));
}

/** The texts of a send: `more` is appended, and with `keepUnsent` lines taken back stay on the check. */
interface SentTexts {
  text: "sent" | "roundSent";
  more?: string;
  keepUnsent: boolean;
}

/** Sends lines of a check, by default all that are not held. Shows a notice with undo. Returns false if refused. */
export function sendCheck(
  terminal: Terminal,
  { posReference, snapshot }: LocalOrder,
  lines: readonly StoredLine[] = toSend(snapshot.lines),
  { text, more = "", keepUnsent }: SentTexts = { text: "sent", keepUnsent: true },
): boolean {
  const t = translator("order");
  // Names the lines only if some stay behind: a named line may be removed elsewhere in the meantime.
  const isAll = lines.length === snapshot.lines.filter(isUnsent).length;
  const ids = isAll && !lines.some(isHeld) ? undefined : lines.map(({ id }) => id);
  const sent = attempt(() => terminal.sendToKitchen(posReference, ids));
  if (sent === null) return false;
  const count = countUnsent(lines);
  const withMore = (message: string) => [message, more].filter(Boolean).join(" ");
  editLeaseOf(terminal).done(posReference);
  const holder = otherHolderOn(terminal)(posReference);
  const isOnline = terminal.connection().name === "online";
  const waiting =
    holder === null
      ? t(isOnline ? "sentWaits" : "sentLater", { count })
      : t("sentAfter", { count, name: holder.userName });
  const afterMs = holder === null && isOnline ? PROMPT_MS : 0;
  void onceAccepted(terminal, sent, { posReference, waiting: withMore(waiting), afterMs }, () => {
    const message = withMore(t(text, { count }));
    // A paid check offers no undo: its lines cannot be taken off.
    if (!isActive(snapshot.status)) return showNotice({ text: message });
    const before = lines.map(({ id, sentQuantity = 0 }) => ({ lineId: id, quantity: sentQuantity }));
    showSent(terminal, posReference, before, { text: message, keepUnsent });
  });
  void sayIfOut(terminal, posReference, { sent, lines });
  return true;
}

/** Milliseconds within which a reachable hub answers. */
const PROMPT_MS = 1_000;

/** Calls `say` once the hub has acknowledged the send. Until then shows `waiting`, unless the hub refuses. */
async function onceAccepted(
  terminal: Terminal,
  { outcome }: Mutation,
  { posReference, waiting, afterMs }: { posReference: string; waiting: string; afterMs: number },
  say: () => void,
): Promise<void> {
  const notice = { text: waiting };
  let isPrompt = true;
  const timer = setTimeout(() => {
    isPrompt = false;
    showNotice(notice);
  }, afterMs);
  // A send queued behind a refused change waits until a user resolves the conflict.
  const off = terminal.on("conflict", ({ isNotice, orders }) => {
    if (isNotice || !orders.some((order) => order.posReference === posReference)) return;
    isPrompt = false;
    clearTimeout(timer);
    if (notices.get() === notice) hideNotice();
  });
  const { state } = await outcome;
  off();
  clearTimeout(timer);
  // A late answer is only shown while its notice is still visible: otherwise the user has moved on.
  if (state === "acknowledged" && (isPrompt || notices.get() === notice)) say();
}

/**
 * Sends what is still unsent after a payment: on a paid check, which leaves the floor, everything but held courses; on a check
 * with an amount due, only the lines for which `isMeant` is true.
 */
export function sendPaid(
  terminal: Terminal,
  posReference: string,
  isMeant: (line: StoredLine) => boolean = () => false,
): void {
  const order = terminal.order(posReference);
  if (order === undefined) return;
  const { status, lines } = order.snapshot;
  const paid = toSend(lines).filter((line) => !isActive(status) || isMeant(line));
  if (paid.length > 0) sendCheck(terminal, order, paid);
}

/** If the hub refused the whole send because a dish is sold out, names it and offers to send the rest. */
async function sayIfOut(
  terminal: Terminal,
  posReference: string,
  { sent, lines }: { sent: Mutation; lines: readonly StoredLine[] },
): Promise<void> {
  const outcome = await sent.outcome;
  if (outcome.state !== "refused" || outcome.conflict.refusal.errorCode !== "ITEM_OUT") return;
  // The lines are still on the check, unsent, so the conflict needs no decision.
  await discardRefused(terminal, outcome.conflict.id);
  const t = translator("order");
  const order = terminal.order(posReference);
  const outId = outcome.conflict.refusal.lineId;
  const out = order?.snapshot.lines.find(({ id }) => id === outId);
  const rest = sendableLines(lines, out);
  showNotice({
    text: t("itemOut", { name: out === undefined ? "" : dishName(out, menuOf(terminal)) }),
    ...(order === undefined || rest.length === 0
      ? {}
      : { act: { label: t("sendRest"), run: () => void sendCheck(terminal, order, rest) } }),
  });
}

/** Returns the lines to send after one was refused, including earlier lines of its dish, which there is enough for. */
export function sendableLines(lines: readonly StoredLine[], out: StoredLine | undefined): StoredLine[] {
  const at = lines.findIndex(({ id }) => id === out?.id);
  return lines.filter(({ productId }, index) => index < at || String(productId) !== String(out?.productId));
}
