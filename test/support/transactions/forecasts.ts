import type { Address } from '../../../src/base/solana/address';
import type { ClosedPosition } from '../../../src/service/positions';
import type { JournalForecast } from '../../../src/transactions/journal/forecast';
import type { OperationRecord } from '../../../src/transactions/journal/types';
import { OWNER } from '../portfolio/fixtures';
import { closedPosition } from '../ui/panels/overview/fixtures';
import { type Created, landedRecord, zapInCreated } from './records';

const MILLI_SOL = 1_000_000n;
const NOTHING = { lamports: 0n, lowLamports: 0n, highLamports: 0n };

/** A thousandth of a SOL an hour, for 30 days; half to twice as much. */
const FORECAST: JournalForecast = {
  sigmaPerDay: { value: 0.04, low: 0.03, high: 0.06 },
  outlooks: [1, 720].map((hours) => {
    const lamports = MILLI_SOL * BigInt(hours);
    return {
      horizonS: hours * 3_600,
      timeInRange: { value: 1, low: 1, high: 1 },
      loss: NOTHING,
      fees: { lamports, lowLamports: lamports / 2n, highLamports: 2n * lamports },
      netLamports: lamports,
    };
  }),
};

/** A zap-in of 1 SOL with a forecast. @param position the one that it has opened */
export function forecastZapIn(position: Address | undefined, created: Partial<Created> = {}): OperationRecord {
  return landedRecord({ ...zapInCreated(0), owner: OWNER, ...created }, position, [], FORECAST);
}

/** A position that lived for five hours and earned 0.8 of {@link FORECAST}; a higher number ended later. */
export function endedAsForecast(number: number, part: Partial<ClosedPosition> = {}): ClosedPosition & { readonly address: Address } {
  const ended = closedPosition(number, { input: { usd: 150, native: 0.98 }, fee: { usd: undefined, native: 0.004 }, ...part });
  return { ...ended, address: ended.address ?? OWNER };
}
