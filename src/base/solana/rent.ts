import { BINS_PER_DEFAULT_POSITION } from '../dlmm/bins';
import { TOKEN_ACCOUNT } from './tokenAccount';

/** Bytes that count for every account in addition to its data (runtime: `ACCOUNT_STORAGE_OVERHEAD`). */
const OVERHEAD_BYTES = 128n;

/** The highest rate that the chain has had, lamports a byte. SIMD-0437 lowers it in steps: 6,333, 5,080, 2,575, 1,322, 696. */
const HIGHEST_KNOWN = 6_960n;

/** A node that tells a rate outside these bounds, a tenth and ten times the highest known one, is not believed. */
const LEAST_RATE = HIGHEST_KNOWN / 10n;
const MOST_RATE = HIGHEST_KNOWN * 10n;

/**
 * Data sizes of the accounts that operations create, bytes. Sources: spl-token, the IDLs of DLMM and Zap, and damm-v2 (state/position.rs,
 * ix_create_position.rs). The unit test "rent" compares those of Meteora with what the programs create.
 */
const DATA_BYTES = {
  tokenAccount: TOKEN_ACCOUNT.bytes,
  /** With the extension `ImmutableOwner`. */
  token2022Account: 170,
  position: 8_120,
  positionPerBinAbove70: 112,
  binArray: 10_136,
  bitmapExtension: 1_568,
  productPosition: 408,
  /** With metadata pointer, close authority and metadata, which the program fixes. */
  productNftMint: 465,
  /** None of the mint's extensions needs one of the account. */
  productNftAccount: TOKEN_ACCOUNT.bytes,
  /** Discriminator, owner and two amounts. */
  zapLedger: 56,
} as const;

/** The rate that a node reports is impossible. */
export class RentRateError extends Error {
  override readonly name = 'RentRateError';
}

/**
 * What one byte of an account costs, and the minimum balances that follow from it. All amounts are lamports. The rate changes at the
 * beginning of an epoch.
 */
export class RentRate {
  /** The rate without a node: the highest one known, so every amount is an upper bound. */
  static readonly highest = new RentRate(HIGHEST_KNOWN, true);

  private constructor(
    readonly lamportsPerByte: bigint,
    /** No node reported the rate, so all amounts are upper bounds. */
    readonly isUpperBound: boolean,
  ) {}

  /**
   * The rate that a node reports.
   * @throws RentRateError if it is below a tenth or above ten times {@link RentRate.highest}
   */
  static ofLamportsPerByte(lamportsPerByte: bigint): RentRate {
    if (lamportsPerByte < LEAST_RATE || lamportsPerByte > MOST_RATE) {
      throw new RentRateError(`a rent of ${lamportsPerByte} lamports a byte is not from ${LEAST_RATE} to ${MOST_RATE}`);
    }
    return new RentRate(lamportsPerByte, false);
  }

  /**
   * The rate by the minimum balance of an account without data, as a node reports it.
   * @throws RentRateError if no whole rate within the bounds of {@link RentRate.ofLamportsPerByte} gives that balance
   */
  static byEmptyAccount(lamports: bigint): RentRate {
    if (lamports % OVERHEAD_BYTES !== 0n) {
      throw new RentRateError(`${lamports} lamports for ${OVERHEAD_BYTES} bytes are not a whole rate`);
    }
    return RentRate.ofLamportsPerByte(lamports / OVERHEAD_BYTES);
  }

  /** Whether the chain asks for more than it ever did. */
  get isAboveHighest(): boolean {
    return this.lamportsPerByte > HIGHEST_KNOWN;
  }

  /** This rate, but at most {@link RentRate.highest}. */
  get atMostHighest(): RentRate {
    return this.isAboveHighest ? RentRate.highest : this;
  }

  /** The minimum balance of an account with this many bytes of data. */
  minimumBalance(dataBytes: number): bigint {
    return (OVERHEAD_BYTES + BigInt(dataBytes)) * this.lamportsPerByte;
  }

  /** What rent at another rate is at this one; rounded up. */
  converted(lamports: bigint, other: RentRate): bigint {
    return (lamports * this.lamportsPerByte + other.lamportsPerByte - 1n) / other.lamportsPerByte;
  }

  get tokenAccount(): bigint {
    return this.minimumBalance(DATA_BYTES.tokenAccount);
  }

  /** An associated account under Token-2022. */
  get token2022Account(): bigint {
    return this.minimumBalance(DATA_BYTES.token2022Account);
  }

  /** A DLMM position of up to 70 bins. */
  get position(): bigint {
    return this.minimumBalance(DATA_BYTES.position);
  }

  /** For each bin above 70, a DLMM position is longer. */
  get positionPerBinAbove70(): bigint {
    return BigInt(DATA_BYTES.positionPerBinAbove70) * this.lamportsPerByte;
  }

  /** A DLMM position with this many bins. */
  positionOf(bins: number): bigint {
    return this.position + BigInt(Math.max(0, bins - BINS_PER_DEFAULT_POSITION)) * this.positionPerBinAbove70;
  }

  get binArray(): bigint {
    return this.minimumBalance(DATA_BYTES.binArray);
  }

  /** A DLMM pool's bin array bitmap extension. */
  get bitmapExtension(): bigint {
    return this.minimumBalance(DATA_BYTES.bitmapExtension);
  }

  /** A position in a DAMM v2 pool, without its NFT. */
  get productPosition(): bigint {
    return this.minimumBalance(DATA_BYTES.productPosition);
  }

  get productNftMint(): bigint {
    return this.minimumBalance(DATA_BYTES.productNftMint);
  }

  get productNftAccount(): bigint {
    return this.minimumBalance(DATA_BYTES.productNftAccount);
  }

  /** A position in a DAMM v2 pool with the mint of its NFT and the account that holds it. */
  get productPositionWithNft(): bigint {
    return this.productPosition + this.productNftMint + this.productNftAccount;
  }

  /** The owner's ledger in Meteora Zap. */
  get zapLedger(): bigint {
    return this.minimumBalance(DATA_BYTES.zapLedger);
  }
}
