import { z } from "zod";

/** Ids of records are integers in the back-office and strings in orders; both are taken. */
export const RecordRef = z.union([z.string().min(1), z.int()]);
