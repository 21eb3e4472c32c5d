import type { StoredLine } from "@comanda/protocol";
import type { Terminal } from "@comanda/terminal";
import { translator } from "@comanda/ui/translation.ts";
import { menuOf } from "../lib/menu/use-menu.ts";
import { notices, showNotice } from "../lib/page/notices.ts";
import { attempt } from "../lib/page/show-refusal.ts";
import { undoAct } from "../lib/page/undo-act.ts";
import { dishName } from "./check-lines.ts";

/** The sent quantity of a line before a send. */
interface SentPart {
  lineId: string;
  quantity: number;
}

/** Shows that a check was sent, with undo until the kitchen has seen all of it. */
export function showSent(
  terminal: Terminal,
  posReference: string,
  before: readonly SentPart[],
  { text, keepUnsent }: { text: string; keepUnsent: boolean },
): void {
  const t = translator("order");
  const notice = { text, act: undoAct(takeBack) };
  showNotice(notice);
  const offs = [terminal.on("tickets", check), notices.subscribe(check)];

  function check(): void {
    const isShown = notices.get() === notice;
    if (isShown && !hasKitchenSeen()) return;
    for (const off of offs) off();
    if (isShown) showNotice({ text: `${text} ${t("kitchenHasSeen")}` });
  }

  /** Whether the kitchen has seen or begun everything sent beyond `before`. */
  function hasKitchenSeen(): boolean {
    const shares = terminal
      .tickets()
      .flatMap((ticket) =>
        ticket.lines.flatMap((line) =>
          line.shares.map((share) => ({
            ...share,
            isSeen: ticket.seen.length > 0 || line.preparedQuantity > 0 || line.kitchenItemStatus !== undefined,
          })),
        ),
      )
      .filter((share) => share.posReference === posReference);
    return (
      sentBeyond().length === before.length &&
      before.every(({ lineId }) => {
        const own = shares.filter((share) => share.lineId === lineId);
        return own.length > 0 && own.every(({ isSeen }) => isSeen);
      })
    );
  }

  /** Takes back what was sent beyond `before`, except what the kitchen has seen, and shows what it keeps. */
  function takeBack(): void {
    const sent = sentBeyond();
    if (sent.length === 0) return showNotice({ text: t("stillSending"), act: undoAct(takeBack) });
    const parts = sent
      .map(({ part }) => part)
      .filter(({ lineId }) => terminal.takeBackLeftMs(posReference, lineId) > 0);
    if (parts.length > 0 && attempt(() => terminal.takeBack(posReference, parts, { keepUnsent })) === null) return;
    const menu = menuOf(terminal);
    const keptNames = new Set(sent.filter(({ part }) => !parts.includes(part)).map(({ line }) => dishName(line, menu)));
    if (keptNames.size > 0) showNotice({ text: t("kitchenKeeps", { names: [...keptNames].join(", ") }) });
    else showNotice({ text: t(keepUnsent ? "takenBack" : "roundTakenBack") });
  }

  function sentBeyond(): { part: SentPart; line: StoredLine }[] {
    const lines = terminal.order(posReference)?.snapshot.lines ?? [];
    return before.flatMap((part) => {
      const line = lines.find(({ id }) => id === part.lineId);
      return line !== undefined && (line.sentQuantity ?? 0) > part.quantity ? [{ part, line }] : [];
    });
  }
}
