import { z } from "zod";

/** Languages of every screen. */
export const Language = z.enum(["es", "en"]);
export type Language = z.infer<typeof Language>;
