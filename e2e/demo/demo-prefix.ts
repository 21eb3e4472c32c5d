/** Prefix of every check that the demo opens. Checks without it belong to people who have joined the evening. */
export const DEMO_PREFIX = "POS/2026/";
