import { defineQuery } from "../jobs/job.ts";
import { searchAudit } from "./search-audit.ts";

/** Entries of the audit log, newest first. */
export const searchAuditLogJob = defineQuery(
  "searchAuditLog",
  (db, { search, below, limit }: { file: string; search: string; below: number; limit: number }) =>
    searchAudit(db, search, below, limit),
);
