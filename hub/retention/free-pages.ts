import type { Db } from "../db/open.ts";

/** Fewer free pages than this (4 MB), or than this share of the file, are kept for new rows. */
const LEAST = 1_000;
const LEAST_SHARE = 0.05;
/** 256 KB: some milliseconds. */
const PAGES_A_STEP = 64;

/** Gives free pages back to the disk, where the data file was made so that it can. */
export function createFreePages(db: Db) {
  const number = (pragma: string): number => Number(db.pragma(pragma, { simple: true }));
  const isIncremental = number("auto_vacuum") === 2;

  return {
    /** Gives back a few pages, in the caller's transaction; false when there are too few. */
    giveBackSome(): boolean {
      if (!isIncremental) return false;
      const free = number("freelist_count");
      if (free < LEAST || free < number("page_count") * LEAST_SHARE) return false;
      db.pragma(`incremental_vacuum(${PAGES_A_STEP})`);
      return true;
    },
  };
}
