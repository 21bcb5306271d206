import assert from 'node:assert/strict';
import { PublicKey } from '@solana/web3.js';
import * as z from 'zod';
import { address } from '../../src/base/solana/address';
import { tokenAmount } from '../../src/base/solana/tokenAccount';
import { parseTransaction } from '../../src/base/solana/wireTransaction';
import { JITO_TIP_ACCOUNTS } from '../../src/base/solana/programs';
import type { TransactionFormat } from '../../src/engine/assembly/types';
import { BuildDesk, entryOf, exitOf, quoted, type Entry } from '../support/chain/builds';
import { useMainnet } from '../support/mainnet/useMainnet';
import type { MainnetPools } from '../support/mainnet/mainnet';
import type { LittlePool, Wallet } from '../support/mainnet/world/pool';
import { giveLamports, giveTokens, keypairOf } from '../support/mainnet/world/tokens';

const Landed = z.object({ meta: z.object({ computeUnitsConsumed: z.int() }) });

const LAMPORTS = 1_500_000_000n;
const OUTPUTS = ['allBaseToken', 'allToken0', 'allToken1', 'both'] as const;

/** Pool, transactions, strategy, share of X, and the range beside the active bin. Each pool, side, strategy and version comes up. */
const ZAPS: readonly (readonly [keyof MainnetPools, TransactionFormat, Entry['strategy'], number, number, number])[] = [
  ['solUsdc', 'service', 'Spot', 0.5, -10, 10],
  ['solUsdc', 'v1', 'Curve', 1, 1, 40],
  ['solUsdcFine', 'v0', 'BidAsk', 0, -69, 0],
  ['memeSol', 'service', 'BidAsk', 0.3, -20, 49],
  ['memeSol', 'v1', 'Spot', 1, 0, 0],
  ['memeSol', 'v0', 'Spot', 0, 0, 0],
  ['tollUsdc', 'service', 'Curve', 0.5, -15, 15],
  ['tollUsdc', 'v1', 'Spot', 0, -30, -1],
  ['tollUsdc', 'v1', 'Spot', 1, 0, 0],
  ['dammSolUsdc', 'service', 'Spot', 0.5, 0, 0],
  ['dammMemeSol', 'v1', 'Spot', 0.5, 0, 0],
  ['dammTollUsdc', 'v0', 'Spot', 0.5, 0, 0],
];

describe('Entries and exits that are built on the real programs', () => {
  const mainnet = useMainnet({ recording: 'build' });

  for (const [place, [name, format, strategy, percentX, lower, upper]] of ZAPS.entries()) {
    it(`A zap-in of ${name} with ${percentX} of X, ${strategy} from ${lower} to ${upper}, and its zap-outs pass the review and land, transactions: ${format}`, async () => {
      const desk = new BuildDesk(mainnet(), { format });
      const me = place % 2 === 0 ? mainnet().wallet(place) : newWallet(name);
      const pool = mainnet().pools[name];
      const entry = {
        strategy,
        ...(await rangeOf(desk, pool, lower, upper)),
        input: { mode: 'zap-in' as const, lamports: LAMPORTS, percentX },
      };
      const built = await desk.add(me, pool, entry);
      await desk.allowsEntry(me, pool, entry, built);
      assert.deepEqual(built.simulation, { transactions: entryOf(built).length, simulated: entryOf(built).length });
      await desk.land(me, entryOf(built));

      const position = built.meta.positionPubKey;
      const all = await desk.builder.decreaseQuote(position, 10_000);
      // In DAMM v2 a part stays with the owner, so that the amounts suffice at any price within the slippage.
      assert.ok((all.valueNative ?? 0) > (pool.program === 'dlmm' ? 1.45 : 1.4) && (all.valueNative ?? 0) < 1.5, String(all.valueNative));

      const outputs = OUTPUTS.filter((_, at) => at % 2 === place % 2);
      for (const [at, output] of outputs.entries()) {
        const asked = { output, bps: at === 0 ? 3_333 : 10_000 };
        const exit = await desk.decrease(me, position, asked);
        await desk.allowsExit(me, pool, position, asked, exit);
        if (at === 0) {
          await desk.land(me, exitOf(exit));
        }
      }
      const rest = await desk.builder.decreaseQuote(position, 10_000);
      const before = mainnet().balance(me, 'sol');
      const exit = await desk.decrease(me, position);
      const signatures = await desk.land(me, exitOf(exit));
      const gained = Number(mainnet().balance(me, 'sol') - before) / 1e9;
      assert.equal(await desk.rpc.connection.getAccountInfo(new PublicKey(position)), null);
      // Rent comes back as well, less fees; what a moving price could change is kept back.
      const rent = pool.program === 'dlmm' ? 0.0574 : 0.0099;
      const expected = quoted(rest, 'allBaseToken', mainnet().tokens.sol.mint);
      assert.ok(Math.abs(gained - rent - expected) < 0.006 * expected, `${gained} of ${expected}, ${signatures.length} transactions`);
    });
  }

  it('A swap across many bins has the compute units that it needs, and gives what was quoted by the clock of the chain', async () => {
    mainnet().faults.refuse('getProgramAccounts');
    const me = newWallet('large swap');
    giveLamports(mainnet().chain, me.address, 2_000n * 10n ** 9n);
    const { memeSol } = mainnet().pools;
    const desk = new BuildDesk(mainnet());
    // Trades raise the variable fee, which decays within minutes; the clock of this machine is a day ahead.
    await memeSol.swap(mainnet().wallet(23), 'y', 100_000_000_000n);
    const active = await desk.activeBin(memeSol);
    const entry = { strategy: 'Spot' as const, fromBinId: active + 50, toBinId: active + 60 };
    const built = await desk.add(me, memeSol, { ...entry, input: { mode: 'zap-in', lamports: 700n * 10n ** 9n, percentX: 1 } });
    const [signature = ''] = await desk.land(me, entryOf(built));
    const crossed = (await desk.activeBin(memeSol)) - active;
    assert.ok(crossed > 15, String(crossed));
    const { meta } = await desk.rpc.call(
      'getTransaction',
      [signature, { maxSupportedTransactionVersion: 1, commitment: 'confirmed' }],
      Landed,
    );
    const [budget] = parseTransaction(new Uint8Array(Buffer.from(entryOf(built)[0] ?? '', 'base64'))).instructions;
    const limit = Buffer.from(budget?.data ?? []).readUInt32LE(1);
    assert.ok(
      meta.computeUnitsConsumed + crossed * 5_600 < limit,
      `${meta.computeUnitsConsumed} of ${limit}: not enough for a price that moves`,
    );
    const { token0 } = await desk.builder.decreaseQuote(built.meta.positionPubKey, 10_000);
    const deposited = Number(token0.amount) * 10 ** memeSol.x.decimals;
    const bought = deposited + Number(mainnet().balance(me, 'meme'));
    assert.ok(Math.abs(deposited / bought - 0.995) < 0.0005, `${deposited} of ${bought}`);
  });

  it('A part of the bins is withdrawn, and the position stays open with the others', async () => {
    const desk = new BuildDesk(mainnet());
    const me = mainnet().wallet(20);
    const { solUsdc } = mainnet().pools;
    const opened = await solUsdc.open(me, { x: 2_000_000_000n, y: 300_000_000n, bins: [-20, 20] });
    const { fromBinId, toBinId } = await rangeOf(desk, solUsdc, 5, 20);
    const whole = await desk.builder.decreaseQuote(opened.position, 10_000);
    const asked = { output: 'both' as const, fromBinId, toBinId, bps: 5_000 };
    const exit = await desk.decrease(me, opened.position, asked);
    await desk.allowsExit(me, solUsdc, opened.position, asked, exit);
    await desk.land(me, exitOf(exit));
    const left = await desk.builder.decreaseQuote(opened.position, 10_000);
    assert.ok(Math.abs(Number(left.token0.amount) / Number(whole.token0.amount) - 0.6) < 0.01, left.token0.amount);
    assert.equal(left.token1.amount, whole.token1.amount);
  });

  it("Tokens of the wallet are deposited as they are, and wrapped SOL of the owner's stays wrapped", async () => {
    const me = mainnet().wallet(21);
    const desk = new BuildDesk(mainnet());
    const { solUsdc, dammTollUsdc } = mainnet().pools;
    const own = giveTokens(mainnet().chain, me.address, mainnet().tokens.sol, 1_000_000_000n);
    for (const [pool, input] of [
      [solUsdc, { mode: 'normal', amountX: 1.5, amountY: 225 }],
      [dammTollUsdc, { mode: 'normal', amountX: 100, amountY: 100 }],
    ] as const) {
      const entry = { strategy: 'Spot' as const, ...(await rangeOf(desk, pool, -10, 10)), input };
      const built = await desk.add(me, pool, entry);
      await desk.allowsEntry(me, pool, entry, built);
      assert.deepEqual(built.swapTxsWithJito, []);
      await desk.land(me, entryOf(built));
      const { token1 } = await desk.builder.decreaseQuote(built.meta.positionPubKey, 10_000);
      assert.ok(Number(token1.amount) > (pool === solUsdc ? 224.9 : 95), token1.amount);
    }
    assert.ok(tokenAmount(mainnet().chain.account(own)?.data ?? assert.fail('It was unwrapped')) >= 1_000_000_000n);
  });

  it('With Jito each bundle has at most five transactions and pays one tip, and without the tip nothing else differs', async () => {
    const me = mainnet().wallet(22);
    const { solUsdc } = mainnet().pools;
    for (const [format, lower, upper, bundles] of [
      ['service', -10, 10, 1],
      ['service', -100, 99, 2],
      ['v1', -280, 279, 2],
    ] as const) {
      const desk = new BuildDesk(mainnet(), { tipLamports: 10_000n, format });
      const range = await rangeOf(desk, solUsdc, lower, upper);
      const entry = { strategy: 'Curve' as const, ...range, input: { mode: 'zap-in' as const, lamports: LAMPORTS, percentX: 0.5 } };
      const built = await desk.add(me, solUsdc, entry);
      await desk.allowsEntry(me, solUsdc, entry, built, bundles > 1 ? ['BND-1', 'RNT-1'] : []);
      const issued = desk.issued.at(-1) ?? assert.fail();
      assert.equal(issued.bundles.length, bundles);
      assert.ok(issued.bundles.every(({ length }) => length <= 5));
      assert.equal(issued.stages.length + (bundles > 1 ? bundles : 0), entryOf(built).length);
      assert.deepEqual(
        issued.bundles.flat().map((bytes) => Buffer.from(bytes).toString('base64')),
        entryOf(built),
      );
      const before = tipsPaid();
      await desk.land(me, entryOf(built));
      assert.equal(tipsPaid() - before, 10_000 * bundles + (bundles > 1 ? 1 : 0));
    }
  });

  /** With SOL alone: token accounts do not exist yet. */
  function newWallet(name: string): Wallet {
    const keypair = keypairOf(name);
    const wallet = { address: address(keypair.publicKey.toBase58()), keypair };
    giveLamports(mainnet().chain, wallet.address, 5_000_000_000n);
    return wallet;
  }

  function tipsPaid(): number {
    return Number(JITO_TIP_ACCOUNTS.reduce((sum, account) => sum + (mainnet().chain.account(account)?.lamports ?? 0n), 0n));
  }

  async function rangeOf(desk: BuildDesk, pool: LittlePool, lower: number, upper: number): Promise<Pick<Entry, 'fromBinId' | 'toBinId'>> {
    if (pool.program === 'damm') {
      return { fromBinId: undefined, toBinId: undefined };
    }
    const active = await desk.activeBin(pool);
    return { fromBinId: active + lower, toBinId: active + upper };
  }
});
