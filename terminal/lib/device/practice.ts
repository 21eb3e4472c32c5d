/** This page works on the practice hub: nothing it does counts, and nothing it keeps outlives it. */
export const isPractice = new URLSearchParams(location.search).has("practice");
