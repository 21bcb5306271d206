/** The whole of something, in basis points. */
export const WHOLE_BPS = 10_000;
