import { z } from "zod";

/** The languages of the screens. */
export const Language = z.enum(["es", "en"]);
export type Language = z.infer<typeof Language>;
