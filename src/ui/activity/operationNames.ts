import type { Address } from '../../base/solana/address';
import { dammPosition } from '../../base/solana/pda';
import type { OpenPosition } from '../../service/positions';
import type { OperationRecord } from '../../transactions/journal/types';
import { positionsOf } from '../../transactions/operations';
import { type NamedPosition, positionNames } from '../positions/positionList';
import type { NamesOfRecords } from './activity';

/**
 * Names the position of each operation so that no other position of the journal has the same name: as the list of positions names those that are open, the
 * others by pair, range and address. An operation on several positions, and one whose position is not known, has none.
 */
export function namesOfRecords(records: readonly OperationRecord[], listed: readonly OpenPosition[]): NamesOfRecords {
  const open = new Map(listed.flatMap((position) => (position.address === undefined ? [] : [[position.address, position] as const])));
  const listedNames = positionNames(listed);
  const subjects = records.map((record) => ({ record, address: subjectOf(record) }));
  const worked = new Set(subjects.flatMap(({ record, address }) => (isOpenedBy(record) || address === undefined ? [] : [address])));
  // A build names a position of DAMM v2 by its account, or by the mint of its NFT.
  const account = (record: OperationRecord, address: Address): Address => {
    const isNamed = record.created.poolType !== 'dammV2' || worked.has(address) || open.has(address);
    return isNamed ? address : dammPosition(address);
  };
  const all = new Map<Address, NamedPosition>(open);
  const addresses = new Map<string, Address>();
  for (const { record, address } of subjects) {
    if (address !== undefined) {
      const known = account(record, address);
      addresses.set(record.id, known);
      all.set(known, open.get(known) ?? { ...named(record, known), ...rangeKnown(all.get(known), record) });
    }
  }
  const names = positionNames([...all.values()]);
  return new Map(
    [...addresses].flatMap(([id, address]) => {
      const position = all.get(address);
      const name = position === undefined ? undefined : (listedNames.get(position.key) ?? names.get(position.key));
      return name === undefined ? [] : [[id, name] as const];
    }),
  );
}

/** The only position that an operation works on or opens. */
function subjectOf({ created: { plan }, built }: OperationRecord): Address | undefined {
  const [first, ...others] = positionsOf(plan);
  return others.length > 0 ? undefined : (first?.address ?? (plan.kind === 'zapIn' ? built?.position : undefined));
}

function isOpenedBy({ created: { plan } }: OperationRecord): boolean {
  return plan.kind === 'zapIn';
}

function named({ created: { pairName, poolType } }: OperationRecord, address: Address): NamedPosition {
  return {
    key: address,
    address,
    pairName,
    poolType: poolType ?? 'other',
    binStepBps: undefined,
    lowerBinId: undefined,
    upperBinId: undefined,
  };
}

/** The range of a position, by the operations that opened or rebalanced it; deposits may have another one. */
function rangeKnown(before: NamedPosition | undefined, { created: { plan } }: OperationRecord): Partial<NamedPosition> {
  const isItsRange = plan.kind === 'zapIn' || plan.kind === 'rebalance';
  const [lowerBinId, upperBinId] = isItsRange ? [plan.fromBinId, plan.toBinId] : [undefined, undefined];
  return { lowerBinId: lowerBinId ?? before?.lowerBinId, upperBinId: upperBinId ?? before?.upperBinId };
}
