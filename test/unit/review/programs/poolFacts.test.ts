import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ComputeBudgetProgram, PublicKey, type PublicKey as Key } from '@solana/web3.js';
import { poolFact, POOL_PREFIX_BYTES } from '../../../../src/transactions/inspect/chainFacts';
import type { AccountState, PoolFact } from '../../../../src/review/facts/facts';
import { priceOfPool } from '../../../../src/review/rules/swapPrice';
import type { Address } from '../../../../src/base/solana/address';
import { dlmmBinArray, dlmmOracle } from '../../../../src/base/solana/pda';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import {
  addByStrategy,
  dlmm,
  key,
  MINT,
  NO_SLICES,
  openPosition,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  OWNER_KEY,
  POSITION_KEY,
} from '../../../support/review/bundles';
import { damm } from '../../../support/review/meteoraDrafts';
import { DAMM_POOL, IN_DAMM_POOL, makeDammPool } from '../../../support/review/programs/dammPool';
import { DLMM_POOL, IN_POOL, makeDlmmPool } from '../../../support/review/programs/dlmmPool';
import { describeOnPrograms } from '../../../support/programs';
import { ProgramVm } from '../../../support/review/programs/programVm';
import { connectionTo } from '../../../support/review/programs/sdkConnection';

// What is read of pool accounts by their offsets, against accounts that Meteora's own programs wrote, as Meteora's own SDKs read them.

const load = createRequire(join(process.cwd(), 'package.json'));
const LIMIT = ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 });

/** What is used of the SDKs. Numbers of 64 bits and more are bn.js numbers. */
interface DlmmSdk {
  readonly create: (
    connection: unknown,
    pool: Key,
    options: unknown,
  ) => Promise<{
    readonly lbPair: { readonly activeId: number; readonly binStep: number; readonly tokenXMint: Key; readonly tokenYMint: Key };
  }>;
}
interface DammSdk {
  readonly CpAmm: new (connection: unknown) => {
    fetchPoolState(
      pool: Key,
    ): Promise<
      { readonly tokenAMint: Key; readonly tokenBMint: Key } & Readonly<
        Record<'sqrtPrice' | 'sqrtMinPrice' | 'sqrtMaxPrice', { toString(): string }>
      >
    >;
  };
}

async function dlmmAsTheSdkReads(vm: ProgramVm): Promise<unknown> {
  const { lbPair } = await (load('@meteora-ag/dlmm') as DlmmSdk).create(connectionTo(vm), key(DLMM_POOL), {
    cluster: 'localhost',
    programId: key(PROGRAMS.dlmm),
    skipSolWrappingOperation: true,
  });
  return {
    kind: 'dlmm',
    tokenX: lbPair.tokenXMint.toBase58(),
    tokenY: lbPair.tokenYMint.toBase58(),
    activeBinId: lbPair.activeId,
    binStepBps: lbPair.binStep,
  };
}

async function dammAsTheSdkReads(vm: ProgramVm): Promise<unknown> {
  const { CpAmm } = load('@meteora-ag/cp-amm-sdk') as DammSdk;
  const { tokenAMint, tokenBMint, sqrtPrice, sqrtMinPrice, sqrtMaxPrice } = await new CpAmm(connectionTo(vm)).fetchPoolState(
    key(DAMM_POOL),
  );
  return {
    kind: 'dammV2',
    tokenX: tokenAMint.toBase58(),
    tokenY: tokenBMint.toBase58(),
    sqrtPriceQ64: BigInt(sqrtPrice.toString()),
    range: { minQ64: BigInt(sqrtMinPrice.toString()), maxQ64: BigInt(sqrtMaxPrice.toString()) },
  };
}

function accountIn(vm: ProgramVm, at: Address): AccountState {
  const account = vm.account(at);
  assert.ok(account !== undefined);
  return account;
}

/** A VM with the pool, in which the user has SOL and both tokens. */
function world(makePool: (vm: ProgramVm) => void): ProgramVm {
  const vm = new ProgramVm();
  makePool(vm);
  vm.fund(OWNER);
  vm.putTokens(OWNER, MINT, 10n ** 12n);
  vm.putTokens(OWNER, WRAPPED_SOL_MINT, 10n ** 12n);
  return vm;
}

const landed = ({ error, logs }: ReturnType<ProgramVm['send']>): void => assert.equal(error, undefined, logs.join('\n'));

/** Fills a narrow position and buys the token, so that the active bin moves up. */
function tradeInDlmm(vm: ProgramVm, amountIn: bigint): void {
  const fill = addByStrategy({ amountX: 1_000_000n, amountY: 1_000_000n, accounts: IN_POOL });
  fill.keys.splice(
    -1,
    1,
    ...[-1, 0].map((index) => ({ pubkey: new PublicKey(dlmmBinArray(DLMM_POOL, index)), isSigner: false, isWritable: true })),
  );
  landed(vm.send([LIMIT, openPosition({}, IN_POOL), fill], [OWNER_KEY, POSITION_KEY]));
  const swap = dlmm(
    'swap2',
    { amount_in: amountIn, min_amount_out: 1n, ...NO_SLICES },
    { ...IN_POOL, oracle: dlmmOracle(DLMM_POOL), user_token_in: OWN_SOL, user_token_out: OWN_TOKEN },
  );
  swap.keys.splice(-1, 1, { pubkey: new PublicKey(dlmmBinArray(DLMM_POOL, 0)), isSigner: false, isWritable: true });
  landed(vm.send([LIMIT, swap], [OWNER_KEY]));
}

describeOnPrograms("review: pool facts as Meteora's own programs write them", function () {
  it("The reader returns the same DLMM pool facts as Meteora's SDK, also after a trade moved the active bin", async () => {
    const vm = world(makeDlmmPool);
    const bins: number[] = [];
    for (const amountIn of [undefined, 700_000n]) {
      if (amountIn !== undefined) {
        tradeInDlmm(vm, amountIn);
      }
      const account = accountIn(vm, DLMM_POOL);
      const fact = poolFact(account);
      assert.deepEqual(fact, await dlmmAsTheSdkReads(vm));
      assert.deepEqual(poolFact({ ...account, data: account.data.slice(0, POOL_PREFIX_BYTES) }), fact, 'its first bytes are enough');
      bins.push(fact.kind === 'dlmm' ? fact.activeBinId : Number.NaN);
    }
    assert.ok(bins[0] === 0 && (bins[1] ?? 0) > 0, `the active bins were ${bins.join(' and ')}`);
  });

  it("The reader returns the same DAMM v2 pool facts as Meteora's SDK, also after trades in both directions", async () => {
    const vm = world(makeDammPool);
    const prices: bigint[] = [];
    const swap = (input: Address, output: Address): void =>
      landed(
        vm.send(
          [
            LIMIT,
            damm(
              'swap',
              { _params: { amount_in: 40_000_000n, minimum_amount_out: 1n } },
              { ...IN_DAMM_POOL, input_token_account: input, output_token_account: output },
            ),
          ],
          [OWNER_KEY],
        ),
      );
    for (const trade of [() => undefined, () => swap(OWN_SOL, OWN_TOKEN), () => swap(OWN_TOKEN, OWN_SOL)]) {
      trade();
      const account = accountIn(vm, DAMM_POOL);
      const fact = poolFact(account);
      assert.deepEqual(fact, await dammAsTheSdkReads(vm));
      assert.deepEqual(poolFact({ ...account, data: account.data.slice(0, POOL_PREFIX_BYTES) }), fact, 'its first bytes are enough');
      prices.push(fact.kind === 'dammV2' ? fact.sqrtPriceQ64 : 0n);
    }
    assert.equal(new Set(prices).size, 3);
  });

  it('The reader finds no pool in other accounts, other programs, truncated accounts and missing accounts', () => {
    const vm = world(makeDlmmPool);
    tradeInDlmm(vm, 1_000n);
    const pool = accountIn(vm, DLMM_POOL);
    const product = accountIn(world(makeDammPool), DAMM_POOL);
    const none = (program: Address | undefined): PoolFact => ({ kind: 'none', program });
    assert.deepEqual(poolFact(undefined), none(undefined));
    for (const at of [dlmmBinArray(DLMM_POOL, 0), dlmmOracle(DLMM_POOL)]) {
      assert.deepEqual(poolFact(accountIn(vm, at)), none(PROGRAMS.dlmm));
    }
    assert.deepEqual(poolFact(accountIn(vm, OWN_TOKEN)), none(PROGRAMS.token));
    for (const account of [pool, product]) {
      assert.equal(poolFact(account).kind === 'none', false);
      const other = account === pool ? PROGRAMS.dammV2 : PROGRAMS.dlmm;
      for (const program of [PROGRAMS.token, PROGRAMS.system, other]) {
        assert.deepEqual(poolFact({ ...account, program }), none(program));
      }
      const needed = account === pool ? 152 : 472;
      for (const length of [0, 7, 8, 76, needed - 1]) {
        assert.deepEqual(poolFact({ ...account, data: account.data.slice(0, length) }), none(account.program), `${length} bytes`);
      }
      assert.equal(poolFact({ ...account, data: account.data.slice(0, needed) }).kind, account === pool ? 'dlmm' : 'dammV2');
    }
  });

  it('The computed price is the price at which the pool trades, without its fee', () => {
    const vm = world(makeDammPool);
    const price = priceOfPool(poolFact(accountIn(vm, DAMM_POOL)));
    assert.ok(price !== undefined);
    const before = accountIn(vm, OWN_SOL).lamports;
    landed(
      vm.send(
        [
          LIMIT,
          damm(
            'swap',
            { _params: { amount_in: 10_000n, minimum_amount_out: 1n } },
            { ...IN_DAMM_POOL, input_token_account: OWN_TOKEN, output_token_account: OWN_SOL },
          ),
        ],
        [OWNER_KEY],
      ),
    );
    const got = Number(accountIn(vm, OWN_SOL).lamports - before);
    const expected = (10_000 * Number(price.outAmountRaw)) / Number(price.inAmountRaw);
    assert.ok(got <= expected && got > expected * 0.99, `${got} for what should be ${expected}`);
  });
});
