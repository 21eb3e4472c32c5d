/** Of every check that the demo opens; the others are those of people who have joined it. */
export const DEMO_PREFIX = "POS/2026/";
