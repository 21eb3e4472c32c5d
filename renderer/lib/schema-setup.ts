import { z } from "zod";

/** The page's policy forbids generated code, which zod would otherwise try out as soon as a schema is made. Imported first. */
z.config({ jitless: true });
