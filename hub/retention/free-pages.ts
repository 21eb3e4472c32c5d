import type { Db } from "../db/open.ts";

/** Fewer free pages than this (4 MB), or than this share of the file, are kept for new rows. */
const LEAST = 1_000;
const LEAST_SHARE = 0.05;
/** 256 KB: a few milliseconds. */
const PAGES_A_STEP = 64;

/** Returns free pages to the disk, if the data file was created with incremental vacuum. */
export function createFreePages(db: Db) {
  const number = (pragma: string): number => Number(db.pragma(pragma, { simple: true }));
  const isIncremental = number("auto_vacuum") === 2;

  return {
    /** Frees a few pages in the caller's transaction. Returns false if there are too few. */
    giveBackSome(): boolean {
      if (!isIncremental) return false;
      const free = number("freelist_count");
      if (free < LEAST || free < number("page_count") * LEAST_SHARE) return false;
      db.pragma(`incremental_vacuum(${PAGES_A_STEP})`);
      return true;
    },
  };
}
