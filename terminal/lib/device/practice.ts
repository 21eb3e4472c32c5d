/** Whether this page works on the practice hub: nothing done here counts or outlives it. */
export const isPractice = new URLSearchParams(location.search).has("practice");
