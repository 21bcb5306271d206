import { widthOf, type BinRange } from './bins';

/** Which tokens go into a range: those on one side of the active bin need one of the two only. */
export function sidesOf(range: BinRange, activeBinId: number): 'both' | 'onlyX' | 'onlyY' {
  if (range.fromBinId > activeBinId) {
    return 'onlyX';
  }
  return range.toBinId < activeBinId ? 'onlyY' : 'both';
}

/** The share of the bins that hold token X, 0 to 1; the active bin counts half. */
export function shareOfXBins(range: BinRange, activeBinId: number): number {
  switch (sidesOf(range, activeBinId)) {
    case 'onlyX':
      return 1;
    case 'onlyY':
      return 0;
    case 'both':
      return (range.toBinId - activeBinId + 0.5) / widthOf(range);
  }
}
