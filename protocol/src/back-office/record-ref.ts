import { z } from "zod";

/** Record ids are integers in the back-office and strings in orders; both are accepted. */
export const RecordRef = z.union([z.string().min(1), z.int()]);
