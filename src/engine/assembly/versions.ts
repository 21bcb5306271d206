import type { TransactionVersion } from '../../base/solana/wireTransaction';
import type { AddPlan, DecreasePlan, TransactionFormat } from './types';

/** The version of each kind of transaction of an operation. */
export interface OperationVersions {
  /** Transactions that touch the pool. */
  readonly pool: TransactionVersion;
  readonly swap: TransactionVersion;
  /** The last transaction, which unwraps SOL. */
  readonly unwrap: TransactionVersion;
}

type Uniform = Exclude<TransactionFormat, 'service' | 'mixed'>;

const VERSIONS: Readonly<Record<Uniform, TransactionVersion>> = { legacy: 'legacy', v0: 0, v1: 1 };

/** Versions of a withdrawal: the service swaps in v0. */
export function decreaseVersions({ format = 'service' }: Pick<DecreasePlan, 'format'>): OperationVersions {
  switch (format) {
    case 'service':
      return { pool: 'legacy', swap: 0, unwrap: 'legacy' };
    case 'mixed':
      return { pool: 1, swap: 0, unwrap: 'legacy' };
    default:
      return uniform(format);
  }
}

/** Versions of a deposit: the service swaps and deposits in v0. In `mixed`, the first transaction is v1. */
export function addVersions({ format = 'service', swaps }: Pick<AddPlan, 'format' | 'swaps'>): OperationVersions {
  switch (format) {
    case 'service':
      return { pool: 0, swap: 0, unwrap: 'legacy' };
    case 'mixed':
      return { pool: swaps.length > 0 ? 0 : 1, swap: 1, unwrap: 'legacy' };
    default:
      return uniform(format);
  }
}

function uniform(format: Uniform): OperationVersions {
  const version = VERSIONS[format];
  return { pool: version, swap: version, unwrap: version };
}

/** Returns whether one transaction may do everything: in v1 there is room for that. */
export function isOneVersion1({ pool, swap, unwrap }: OperationVersions): boolean {
  return pool === 1 && swap === 1 && unwrap === 1;
}
