import type { ChainCursor } from "@comanda/protocol/chain.ts";
import type { Loop } from "../../platform/loop.ts";
import type { World } from "../../platform/world.ts";
import type { ChainListener } from "../connection/chain-line.ts";
import type { Gathering } from "./gathering.ts";
import type { SendingPauses } from "./sending-pauses.ts";
import type { PublisherPosition } from "./publisher-position.ts";

/** Repeated requests for the same resend are served at growing intervals. */
const FIRST_RESEND_MS = 1_000;
const MAX_RESEND_MS = 60_000;

export type HeadquartersRequests = ReturnType<typeof createHeadquartersRequests>;

/** Handles messages that headquarters send a publisher unasked. */
export function createHeadquartersRequests(deps: {
  clock: Pick<World["clock"], "monotonic">;
  place: Pick<PublisherPosition, "forget" | "generation" | "noteCursor" | "position" | "supersede">;
  pauses: Pick<SendingPauses, "forget">;
  gathering: Pick<Gathering, "reconsider">;
  loop: Pick<Loop, "wake" | "reschedule">;
}) {
  const { clock, place, pauses, gathering, loop } = deps;
  let resend: ChainCursor | null = null;
  let last = { at: -Infinity, cursor: "", times: 0 };

  const listener: ChainListener = {
    onUp() {
      place.forget();
      pauses.forget();
      last = { ...last, cursor: "", times: 0 };
      loop.wake();
    },
    onCursor(cursor) {
      place.noteCursor(cursor);
      gathering.reconsider();
      loop.reschedule();
    },
    onResend(cursor) {
      const now = clock.monotonic();
      const key = JSON.stringify(cursor);
      const times = key === last.cursor ? last.times + 1 : 0;
      const wait = Math.min(MAX_RESEND_MS, FIRST_RESEND_MS * 2 ** Math.max(0, times - 1));
      if (cursor.generation > (place.generation() ?? -1) || now - last.at < wait) return;
      // Batches from before a full transfer are no reason to restart it: what is missing shows at its end.
      if (place.position()?.kind === "full" && !cursor.isFullDone) return;
      last = { at: now, cursor: key, times };
      resend = cursor;
      loop.wake();
    },
    onSuperseded({ generation }) {
      const own = place.generation();
      if (own !== null && generation > own) place.supersede();
    },
  };

  return {
    listener,
    /** Takes the cursor from which headquarters want a resend, or null if there is no request. */
    takeResend(): ChainCursor | null {
      const from = resend;
      resend = null;
      return from;
    },
  };
}
