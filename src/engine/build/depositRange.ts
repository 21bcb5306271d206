import { type BinRange, MAX_BINS_PER_POSITION, maxBinIdOf } from '../../base/dlmm/bins';
import { type DepositParameters, EngineError } from '../engine';

/**
 * The bins of an entry.
 * @throws EngineError if the range is missing or invalid
 */
export function checkedRange({ fromBinId, toBinId }: Pick<DepositParameters, 'fromBinId' | 'toBinId'>, binStepBps: number): BinRange {
  if (fromBinId === undefined || toBinId === undefined) {
    throw new EngineError('invalid', `${fromBinId === undefined ? 'fromBinId' : 'toBinId'} is required: this is a pool with bins`);
  }
  if (fromBinId > toBinId) {
    throw new EngineError('invalid', `fromBinId has to be at most toBinId: ${fromBinId} is above ${toBinId}`);
  }
  const last = maxBinIdOf(binStepBps);
  for (const [name, binId] of Object.entries({ fromBinId, toBinId })) {
    if (Math.abs(binId) > last) {
      throw new EngineError('invalid', `${name} is ${binId}; bins of ${binStepBps} basis points go from -${last} to ${last}`);
    }
  }
  const width = toBinId - fromBinId + 1;
  if (width > MAX_BINS_PER_POSITION) {
    throw new EngineError('invalid', `fromBinId and toBinId span ${width} bins; a position has at most ${MAX_BINS_PER_POSITION}`);
  }
  return { fromBinId, toBinId };
}

/** What decides on the amounts, in messages. */
export const SOURCES: Readonly<Record<DepositParameters['input']['mode'], { readonly bins: string; readonly product: string }>> = {
  'zap-in': { bins: 'percentX leaves', product: 'percentX and inputSOL leave' },
  normal: { bins: 'amountX and amountY leave', product: 'amountX and amountY leave' },
  compound: { bins: 'The fees leave', product: 'The fees leave' },
};

/**
 * Checks that the range takes one of the tokens.
 * @throws EngineError if it takes neither
 */
export function checkSides(
  pool: { readonly activeBinId: number; readonly symbolX: string; readonly symbolY: string },
  { fromBinId, toBinId }: BinRange,
  { input }: Pick<DepositParameters, 'input'>,
  deposit: { readonly x: bigint; readonly y: bigint },
): void {
  const { activeBinId, symbolX, symbolY } = pool;
  const takesX = deposit.x > 0n && toBinId >= activeBinId;
  const takesY = deposit.y > 0n && fromBinId <= activeBinId;
  if (!takesX && !takesY) {
    const where = toBinId < activeBinId ? 'below' : 'above';
    throw new EngineError(
      'invalid',
      `${SOURCES[input.mode].bins} nothing to put in: the range lies ${where} the active bin ${activeBinId}, where only ${where === 'below' ? symbolY : symbolX} goes`,
    );
  }
}
