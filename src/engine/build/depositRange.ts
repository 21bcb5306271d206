import { type BinRange, MAX_BINS_PER_POSITION, maxBinIdOf } from '../../base/dlmm/bins';
import { type AddParameters, EngineError } from '../engine';

/**
 * The bins of an entry.
 * @throws EngineError if the range is missing or invalid
 */
export function checkedRange({ fromBinId, toBinId }: AddParameters, binStepBps: number): BinRange {
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

/**
 * Checks that the range takes one of the tokens.
 * @throws EngineError if it takes neither
 */
export function checkSides(
  pool: { readonly activeBinId: number; readonly symbolX: string; readonly symbolY: string },
  { fromBinId, toBinId }: BinRange,
  { input }: Pick<AddParameters, 'input'>,
  deposit: { readonly x: bigint; readonly y: bigint },
): void {
  const { activeBinId, symbolX, symbolY } = pool;
  const takesX = deposit.x > 0n && toBinId >= activeBinId;
  const takesY = deposit.y > 0n && fromBinId <= activeBinId;
  if (!takesX && !takesY) {
    const where = toBinId < activeBinId ? 'below' : 'above';
    const cause = input.mode === 'zap-in' ? 'percentX leaves' : 'amountX and amountY leave';
    throw new EngineError(
      'invalid',
      `${cause} nothing to put in: the range lies ${where} the active bin ${activeBinId}, where only ${where === 'below' ? symbolY : symbolX} goes`,
    );
  }
}
