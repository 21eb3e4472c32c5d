import { z } from "zod";

/** The content security policy forbids generated code, which zod tries when the first schema is created. Imported first. */
z.config({ jitless: true });
