import type { Db } from "../db/open.ts";

/** Fewer free pages than this (4 MB), or than this share of the file, are kept for new rows. */
const MIN_PAGES = 1_000;
const MIN_SHARE = 0.05;
/** 256 KB: a few milliseconds. */
const PAGES_PER_STEP = 64;

/** Returns free pages to the disk, if the data file was created with incremental vacuum. */
export function createFreePages(db: Db) {
  const number = (pragma: string): number => Number(db.pragma(pragma, { simple: true }));
  const isIncremental = number("auto_vacuum") === 2;

  return {
    /** Frees a few pages in the caller's transaction. Returns false if there are too few. */
    giveBackSome(): boolean {
      if (!isIncremental) return false;
      const free = number("freelist_count");
      if (free < MIN_PAGES || free < number("page_count") * MIN_SHARE) return false;
      db.pragma(`incremental_vacuum(${PAGES_PER_STEP})`);
      return true;
    },
  };
}
