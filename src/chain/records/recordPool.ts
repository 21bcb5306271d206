import type { ProtocolNames } from '../../engine/engine';
import { mapped } from '../../engine/state/figures';
import type { RecordPool, RecordToken } from '../../engine/state/positionState';
import type { PoolProgram } from '../index/types';
import type { OnchainPool, MintInfo } from '../pools/types';

const BPS_PER_PERCENT = 100;

/** A pool as records of positions show it. */
export function recordPool({ address, program, x, y, binStep, fees }: OnchainPool, protocols: ProtocolNames): RecordPool {
  return {
    address,
    protocol: protocolOf(program, protocols),
    pairName: `${x.symbol}/${y.symbol}`,
    token0: recordToken(x),
    token1: recordToken(y),
    bins:
      binStep === undefined
        ? { kind: 'none', baseFeeBps: mapped(fees.basePercent, (percent) => percent * BPS_PER_PERCENT) }
        : { kind: 'bins', stepBps: binStep },
  };
}

/** A token as records show it. */
export function recordToken({ mint, symbol, name, decimals, logo }: MintInfo): RecordToken {
  return { mint, symbol, name, decimals, logo: logo ?? null };
}

/** The name of a program's protocol on the wire. */
export function protocolOf(program: PoolProgram, { bins, product }: ProtocolNames): string {
  return program === 'dlmm' ? bins : product;
}
