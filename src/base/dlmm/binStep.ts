const BASIS_POINTS = 10_000;

/** A bin with its price, where that is known. */
export interface PricedBin {
  readonly binId: number;
  readonly price: number | undefined;
}

/** The bin step that two neighbouring bins' prices tell, basis points; pool details do not name it. `undefined`: no two neighbours have prices. */
export function binStepOf(bins: readonly PricedBin[]): number | undefined {
  for (const [index, { binId, price }] of bins.entries()) {
    const next = bins[index + 1];
    if (next?.binId === binId + 1 && price !== undefined && next.price !== undefined && price > 0) {
      const step = Math.round((next.price / price - 1) * BASIS_POINTS);
      return step >= 1 ? step : undefined;
    }
  }
  return undefined;
}
