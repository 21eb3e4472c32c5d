import type { Change } from "../changes/change.ts";
import { type ChainLink, type ChainLinkDeps, createChainLink } from "./chain-link.ts";
import type { LinkStore } from "./link-store.ts";

export type ChainService = ReturnType<typeof createChainService>;

/** A hub's place in its chain. Where it has none, nothing of this runs. */
export function createChainService(deps: ChainLinkDeps & { links: LinkStore }) {
  const { links } = deps;
  let link: ChainLink | null = null;

  return {
    /** Listens to each commit. */
    follow(_group: readonly Change[]): void {
      link?.wake();
    },
    start(): void {
      const place = links.read();
      if (place?.seed == null) return;
      link = createChainLink(deps, place.enrolled, Buffer.from(place.seed));
      link.start();
    },
    async stop(): Promise<void> {
      await link?.stop();
      link = null;
    },
  };
}
