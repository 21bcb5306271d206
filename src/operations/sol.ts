const DECIMALS = 9;

/**
 * Lamports as a number of SOL, exact to the last lamport when it is written as JSON; `undefined` where a binary float cannot
 * hold it (from some eight million SOL on).
 */
export function exactSol(lamports: bigint): number | undefined {
  if (lamports > BigInt(Number.MAX_SAFE_INTEGER)) {
    return undefined;
  }
  const sol = Number(lamports) / 10 ** DECIMALS;
  return BigInt(sol.toFixed(DECIMALS).replace('.', '')) === lamports ? sol : undefined;
}
