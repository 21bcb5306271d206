import { Buffer } from 'node:buffer';
import { CpAmm } from '@meteora-ag/cp-amm-sdk';
import { PublicKey } from '@solana/web3.js';
import BN from 'bn.js';
import { type Address, addressBytes } from '../../../../src/base/solana/address';
import { programAddress } from '../../../../src/base/solana/pda';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { PAIR_LAYOUT, PAIR_REWARD_LAYOUT } from '../../../../src/chain/positions/dlmmRewards';
import { encodeTokenAccount } from '../../../../src/sandbox/chain/tokenAccount';
import type { LittleChain } from '../chain/littleChain';
import type { Wallet } from './pool';
import type { Sender } from './sender';
import type { LittleToken } from './tokens';

const LIQUIDITY_MINING = 1;
const ACCOUNT_BYTES = 165;
const SHIFT = 64n;

export interface PoolReward {
  readonly index: 0 | 1;
  readonly token: LittleToken;
  /** Smallest units a second. */
  readonly rate: bigint;
  /** From now on; negative: it has ended. */
  readonly durationS: number;
  /** What the vault holds, raw. */
  readonly funded: bigint;
}

/** Lets a DLMM pool give a reward, without a transaction: an operator of the program has to sign that. The program itself pays and counts it. */
export function giveDlmmReward(chain: LittleChain, pool: Address, { index, token, rate, durationS, funded }: PoolReward): Address {
  const account = chain.account(pool);
  if (account === undefined) {
    throw new RangeError(`There is no pool ${pool}`);
  }
  const seed = Buffer.alloc(8);
  seed.writeBigUInt64LE(BigInt(index));
  const vault = programAddress(PROGRAMS.dlmm, [addressBytes(pool), seed]);
  const rent = chain.minimumBalance(ACCOUNT_BYTES);
  chain.put(vault, {
    lamports: rent,
    program: token.program,
    data: new Uint8Array(encodeTokenAccount({ mint: token.mint, holder: pool, amountRaw: funded }, rent)),
    executable: false,
  });
  const data = Buffer.from(account.data);
  const at = PAIR_LAYOUT.rewards + index * PAIR_REWARD_LAYOUT.bytes;
  const now = chain.blockTime();
  const end = BigInt(now + durationS);
  data[PAIR_LAYOUT.functionType] = LIQUIDITY_MINING;
  data.set(addressBytes(token.mint), at + PAIR_REWARD_LAYOUT.mint);
  data.set(addressBytes(vault), at + PAIR_REWARD_LAYOUT.vault);
  data.writeBigUInt64LE(end, at + PAIR_REWARD_LAYOUT.end);
  data.writeBigUInt64LE((rate << SHIFT) & (2n ** SHIFT - 1n), at + PAIR_REWARD_LAYOUT.rate);
  data.writeBigUInt64LE(rate, at + PAIR_REWARD_LAYOUT.rate + 8);
  data.writeBigUInt64LE(durationS < 0 ? end : BigInt(now), at + PAIR_REWARD_LAYOUT.lastUpdate);
  chain.put(pool, { ...account, data: new Uint8Array(data) });
  return vault;
}

/** Lets a DAMM v2 pool give its first reward, paid by its creator. @param durationS at least a day */
export async function giveDammReward(
  sender: Sender,
  creator: Wallet,
  pool: Address,
  { token, durationS, funded }: Pick<PoolReward, 'token' | 'durationS' | 'funded'>,
): Promise<void> {
  const transaction = await new CpAmm(sender.connection).initializeAndFundReward({
    rewardIndex: 0,
    rewardDuration: new BN(durationS),
    pool: new PublicKey(pool),
    creator: creator.keypair.publicKey,
    payer: creator.keypair.publicKey,
    rewardMint: new PublicKey(token.mint),
    carryForward: false,
    amount: new BN(funded.toString()),
    rewardMintProgram: new PublicKey(token.program),
  });
  sender.send([transaction], [creator.keypair]);
}
