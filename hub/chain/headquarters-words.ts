import type { ChainCursor } from "@comanda/protocol/chain.ts";
import type { Loop } from "../platform/loop.ts";
import type { World } from "../platform/world.ts";
import type { ChainListener } from "./chain-line.ts";
import type { SendingPauses } from "./sending-pauses.ts";
import type { Whereabouts } from "./whereabouts.ts";

/** Headquarters that ask for the same again and again get it once in a while. */
const RESEND_MS = 1_000;

/** What a publisher does with what headquarters say on their own. */
export function createHeadquartersWords(deps: {
  clock: World["clock"];
  place: Whereabouts;
  pauses: SendingPauses;
  loop: Pick<Loop, "wake" | "reschedule">;
}) {
  const { clock, place, pauses, loop } = deps;
  let resend: ChainCursor | null = null;
  let lastResendAt = -Infinity;

  const listener: ChainListener = {
    onUp() {
      place.forget();
      pauses.forget();
      loop.wake();
    },
    onCursor(cursor) {
      place.noteCursor(cursor);
      loop.reschedule();
    },
    onResend(cursor) {
      const now = clock.monotonic();
      if (cursor.generation > (place.generation() ?? -1) || now - lastResendAt < RESEND_MS) return;
      // Batches from before a full transfer are no reason to begin it again: what lacks of it shows at its end.
      if (place.position()?.kind === "full" && !cursor.isFullDone) return;
      lastResendAt = now;
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
    /** From where headquarters want everything again; null where they do not, or that was taken before. */
    takeResend(): ChainCursor | null {
      const from = resend;
      resend = null;
      return from;
    },
  };
}
