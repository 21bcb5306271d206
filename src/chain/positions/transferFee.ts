import { PROGRAMS } from '../../base/solana/programs';
import type { RawAccount } from './accounts';

/** A mint of Token-2022 without extensions; extensions begin behind the size of a token account and one byte of type (Token-2022, `tlv`). */
const EXTENSIONS_AT = 166;
const TRANSFER_FEE_CONFIG = 1;
/** Two authorities and the withheld amount come first. */
const OLDER_AT = 72;
const NEWER_AT = 90;
const CONFIG_BYTES = 108;
const WHOLE_BPS = 10_000n;

/** Where Token-2022 keeps half an epoch's fee: epoch (u64), maximum (u64), basis points (u16). */
interface EpochFee {
  readonly epoch: bigint;
  readonly maximum: bigint;
  readonly bps: bigint;
}

/** Deducts the transfer fee that a mint asks in an epoch: what arrives of `amount`. Other mints ask none. */
export function afterTransferFee(amount: bigint, mint: RawAccount | undefined, epoch: bigint): bigint {
  const fee = mint === undefined ? undefined : feeOf(mint, epoch);
  if (fee === undefined || fee.bps === 0n || amount === 0n) {
    return amount;
  }
  // Rounded up, like the program.
  const asked = (amount * fee.bps + WHOLE_BPS - 1n) / WHOLE_BPS;
  return amount - (asked < fee.maximum ? asked : fee.maximum);
}

/** The fee of that epoch: a change takes effect two epochs later, and both fees stand in the mint. */
function feeOf({ program, data }: RawAccount, epoch: bigint): EpochFee | undefined {
  if (program !== PROGRAMS.token2022) {
    return undefined;
  }
  const config = extension(data, TRANSFER_FEE_CONFIG);
  if (config === undefined || config.length < CONFIG_BYTES) {
    return undefined;
  }
  const newer = epochFeeAt(config, NEWER_AT);
  return epoch >= newer.epoch ? newer : epochFeeAt(config, OLDER_AT);
}

function epochFeeAt(config: Buffer, place: number): EpochFee {
  return { epoch: config.readBigUInt64LE(place), maximum: config.readBigUInt64LE(place + 8), bps: BigInt(config.readUInt16LE(place + 16)) };
}

/** The value of an extension: type (u16), length (u16), value. */
function extension(data: Buffer, wanted: number): Buffer | undefined {
  for (let place = EXTENSIONS_AT; place + 4 <= data.length;) {
    const type = data.readUInt16LE(place);
    const end = place + 4 + data.readUInt16LE(place + 2);
    if (type === 0 || end > data.length) {
      return undefined;
    }
    if (type === wanted) {
      return data.subarray(place + 4, end);
    }
    place = end;
  }
  return undefined;
}
