import { z } from "zod";

/** The content security policy forbids generated code, which zod tries with the first schema. Must be imported first. */
z.config({ jitless: true });
