import { useStore } from "@comanda/ui/store.ts";
import { createPortal } from "react-dom";
import { hideNotice, notices } from "../lib/page/notices.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { openModals } from "@comanda/ui/open-modals.ts";
import "./notice.css";

/** Shows the last notice: an act that can be undone, or why one failed. */
export function NoticeChip() {
  const notice = useStore(notices);
  const front = useStore(openModals).at(-1);
  const chip = (
    <output className="notices">
      {notice !== null && (
        <div className="notice">
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- for a finger: keys reach what it covers */}
          <span onClick={hideNotice}>{notice.text}</span>
          {notice.act !== undefined && (
            <ActButton
              size="small"
              onAct={() => {
                hideNotice();
                notice.act?.run();
              }}
            >
              {notice.act.label}
            </ActButton>
          )}
        </div>
      )}
    </output>
  );
  // Inside the dialog in front: the browser makes everything behind it inert.
  return front === undefined ? chip : createPortal(chip, front);
}
