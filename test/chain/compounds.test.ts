import assert from 'node:assert/strict';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { tokenAmount } from '../../src/base/solana/tokenAccount';
import { EngineError } from '../../src/engine/engine';
import type { WireAdd } from '../../src/engine/wire/transactions';
import { BuildDesk, entryOf } from '../support/chain/builds';
import type { MainnetPools } from '../support/mainnet/mainnet';
import { useMainnet } from '../support/mainnet/useMainnet';
import type { Deposit, OpenedPosition, Wallet } from '../support/mainnet/world/pool';
import { giveLamports, giveTokens } from '../support/mainnet/world/tokens';

const SOL = 10n ** 9n;
const MILLION = 10n ** 6n;
/** Of a transaction: signature and priority fee. */
const MOST_COSTS = 100_000n;

interface Case {
  readonly name: keyof MainnetPools;
  readonly format: 'service' | 'v0' | 'v1';
  readonly deposit: Deposit;
  /** What others sell after the deposit, raw. */
  readonly trades: readonly (readonly ['x' | 'y', bigint])[];
  readonly transactions?: number;
}

const both = { x: 2n * SOL, y: 300n * MILLION };
const solTrades: Case['trades'] = [
  ['x', 200n * SOL],
  ['y', 30_000n * MILLION],
];
const memeTrades: Case['trades'] = [
  ['x', 5_000n * 10n ** 5n],
  ['y', 5n * SOL],
];
const tollTrades: Case['trades'] = [
  ['x', 9_000n * MILLION],
  ['y', 9_000n * MILLION],
];

const acrossChunks: Case['trades'] = [
  ['x', 900_000n * 10n ** 5n],
  ['y', 900n * SOL],
  ['y', 800n * SOL],
];

const CASES: readonly Case[] = [
  { name: 'solUsdc', format: 'service', deposit: both, trades: solTrades },
  { name: 'solUsdc', format: 'v1', deposit: { ...both, bins: [-34, 35], strategy: 'BidAsk' }, trades: solTrades },
  { name: 'memeSol', format: 'v0', deposit: { x: 2_000n * 10n ** 5n, y: 2n * SOL, strategy: 'Curve' }, trades: memeTrades },
  { name: 'tollUsdc', format: 'service', deposit: { x: 300n * MILLION, y: 300n * MILLION }, trades: tollTrades },
  { name: 'solUsdc', format: 'service', deposit: { ...both, bins: [-100, 99] }, trades: solTrades },
  { name: 'solUsdcFine', format: 'v1', deposit: { ...both, bins: [-60, 80], strategy: 'Curve' }, trades: solTrades },
  // The price leaves the range: it takes token Y alone.
  {
    name: 'memeSol',
    format: 'service',
    deposit: { x: 2_000n * 10n ** 5n, y: 2n * SOL, bins: [-3, 3] },
    trades: [...memeTrades, ['y', 150n * SOL]],
  },
  // The price crosses several chunks.
  {
    name: 'memeSol',
    format: 'v0',
    deposit: { x: 20_000n * 10n ** 5n, y: 20n * SOL, bins: [-100, 99] },
    trades: acrossChunks,
    transactions: 2,
  },
  {
    name: 'memeSol',
    format: 'service',
    deposit: { x: 20_000n * 10n ** 5n, y: 20n * SOL, bins: [-100, 99], strategy: 'BidAsk' },
    trades: [
      ['x', 800_000n * 10n ** 5n],
      ['x', 700_000n * 10n ** 5n],
      ['y', 300n * SOL],
    ],
    transactions: 2,
  },
  { name: 'dammSolUsdc', format: 'service', deposit: { x: 2n * SOL }, trades: solTrades },
  { name: 'dammMemeSol', format: 'v1', deposit: { x: 2_000n * 10n ** 5n }, trades: memeTrades },
  { name: 'dammTollUsdc', format: 'v0', deposit: { x: 300n * MILLION }, trades: tollTrades },
];

describe('Fees that are deposited again, on the real programs', () => {
  const mainnet = useMainnet({ recording: 'compounds' });

  for (const [place, { name, format, deposit, trades, transactions = 1 }] of CASES.entries()) {
    it(`The fees of a position in ${name} (${place + 1}) go into it to the unit as the answer has them, and the rest stays in the wallet, transactions: ${format}`, async () => {
      const desk = new BuildDesk(mainnet(), { format });
      const me = mainnet().wallet(place);
      const pool = mainnet().pools[name];
      const first = pool.program === 'damm' ? 0 : await desk.activeBin(pool);
      const { position } = await earning(me, name, deposit, trades);
      mainnet().finalize();
      const { bins = [-10, 10] } = deposit;
      const range =
        pool.program === 'damm' ? { fromBinId: undefined, toBinId: undefined } : { fromBinId: first + bins[0], toBinId: first + bins[1] };
      const before = balances(me);

      const built = await desk.deposit(me, position, { input: { mode: 'compound' } });
      assert.equal(entryOf(built).length, transactions);
      assert.deepEqual(built.simulation, { transactions, simulated: transactions });
      const { feeX, feeY, depositX, depositY, leftX, leftY } = compounded(built, position);
      // The review blocks tokens with a transfer fee: the RPC does not show what arrives of them.
      if (!name.endsWith('ollUsdc')) {
        const isFarOff = trades === acrossChunks;
        await desk.allowsCompound(me, pool, position, { strategy: deposit.strategy ?? 'Spot', ...range }, built, isFarOff ? ['SWP-9'] : []);
      }
      assert.ok(feeX + feeY > 0n && depositX + depositY > 0n);
      assert.ok(pool.program === 'damm' || (place >= 6 && place <= 8) || (leftX < 200n && leftY < 200n), `${leftX} and ${leftY} are left`);
      await desk.land(me, entryOf(built));

      const after = balances(me);
      const costs = MOST_COSTS * BigInt(transactions);
      for (const [{ symbol }, left] of [
        [pool.x, leftX],
        [pool.y, leftY],
      ] as const) {
        const got = (after.get(symbol) ?? 0n) - (before.get(symbol) ?? 0n);
        assert.ok(symbol === 'SOL' ? got <= left && got >= left - costs : got === left, `${got} ${symbol} of ${left}`);
      }
      await refused('invalid', desk.deposit(me, position, { input: { mode: 'compound' } }), /nothing to claim/);
    });
  }

  it('Fees that come until the landing stay in the wallet, and wrapped SOL of the owner stays wrapped', async () => {
    const desk = new BuildDesk(mainnet());
    const me = mainnet().wallet(20);
    const { position } = await earning(me, 'solUsdc', both, solTrades);
    const own = giveTokens(mainnet().chain, me.address, mainnet().tokens.sol, SOL);
    const built = await desk.deposit(me, position, { input: { mode: 'compound' } });
    const { leftY } = compounded(built, position);
    const before = balances(me).get('USDC') ?? 0n;
    await trade('solUsdc', [['y', 100n * MILLION]]);
    await desk.land(me, entryOf(built));
    const got = (balances(me).get('USDC') ?? 0n) - before;
    assert.ok(got > leftY && got < leftY + MILLION, `${got} beside ${leftY}`);
    assert.ok(tokenAmount(mainnet().chain.account(own)?.data ?? assert.fail('It was unwrapped')) >= SOL);
  });

  it('The fees of chosen bins go into them, and the others wait', async () => {
    const desk = new BuildDesk(mainnet());
    const me = mainnet().wallet(21);
    const { position } = await earning(me, 'memeSol', { x: 20_000n * 10n ** 5n, y: 20n * SOL }, [...memeTrades, ['y', 50n * SOL]]);
    const { memeSol } = mainnet().pools;
    const active = await desk.activeBin(memeSol);
    const built = await desk.deposit(me, position, { input: { mode: 'compound' }, toBinId: active - 1 });
    const { feeY, depositY } = compounded(built, position);
    await desk.land(me, entryOf(built));
    const rest = compounded(await desk.deposit(me, position, { input: { mode: 'compound' } }), position);
    assert.ok(feeY > 0n && depositY > 0n && rest.feeY > 0n && rest.feeY < feeY, `${rest.feeY} beside ${feeY}`);
  });

  it('A deposit of fees does not land once the price has left the slippage, and nothing is claimed', async () => {
    const desk = new BuildDesk(mainnet());
    const me = mainnet().wallet(22);
    const { position } = await earning(me, 'solUsdcFine', both, solTrades);
    const built = await desk.deposit(me, position, { input: { mode: 'compound' }, slippageBps: 10 });
    const { feeX } = compounded(built, position);
    await trade('solUsdcFine', [['x', 900n * SOL]]);
    await assert.rejects(desk.land(me, entryOf(built)), /ExceededBinSlippage|0x1774|6004|custom program error/i);
    const again = compounded(await desk.deposit(me, position, { input: { mode: 'compound' } }), position);
    assert.ok(again.feeX >= feeX);
  });

  it('A position without fees, with fees too small for its bins, of another wallet, and one that there is not, are refused', async () => {
    const desk = new BuildDesk(mainnet());
    const [me, other] = [mainnet().wallet(23), mainnet().wallet(24)];
    const input = { mode: 'compound' } as const;
    const { position } = await mainnet().pools.solUsdc.open(me, both);
    await refused('invalid', desk.deposit(me, position, { input }), /nothing to claim/);
    await trade('solUsdc', [['x', MILLION]]);
    await refused('invalid', desk.deposit(me, position, { input }), /nothing to claim|too small/);
    await refused('invalid', desk.deposit(other, position, { input }), /does not own/);
    await refused('notFound', desk.deposit(me, me.address, { input }), /no open position/);
  });

  /** A position that has earned fees. */
  async function earning(me: Wallet, name: keyof MainnetPools, deposit: Deposit, trades: Case['trades']): Promise<OpenedPosition> {
    const opened = await mainnet().pools[name].open(me, deposit);
    await trade(name, trades);
    return opened;
  }

  async function trade(name: keyof MainnetPools, trades: Case['trades']): Promise<void> {
    for (const [side, amount] of trades) {
      const trader = mainnet().wallet(50);
      giveLamports(mainnet().chain, trader.address, 5_000n * SOL);
      await mainnet().pools[name].swap(trader, side, amount);
    }
  }

  /** SOL with all that is in the account of wrapped SOL. */
  const balances = (me: Wallet): ReadonlyMap<string, bigint> =>
    new Map([
      [
        'SOL',
        mainnet().balance(me, 'sol') + (mainnet().chain.account(associatedTokenAddress(me.address, WRAPPED_SOL_MINT))?.lamports ?? 0n),
      ],
      ...(['usdc', 'meme', 'toll'] as const).map((token) => [token.toUpperCase(), mainnet().balance(me, token)] as const),
    ]);
});

type Compounded = Readonly<Record<'feeX' | 'feeY' | 'depositX' | 'depositY' | 'leftX' | 'leftY', bigint>>;

/** What the answer says becomes of the fees of a position. */
function compounded({ meta }: WireAdd, position: string): Compounded {
  const [one = assert.fail('Nothing is said'), ...others] = meta.positions ?? [];
  assert.deepEqual([one.position, others], [position, []]);
  const { feeX, feeY, depositX, depositY, leftX, leftY } = one;
  return {
    feeX: BigInt(feeX),
    feeY: BigInt(feeY),
    depositX: BigInt(depositX),
    depositY: BigInt(depositY),
    leftX: BigInt(leftX),
    leftY: BigInt(leftY),
  };
}

async function refused(kind: EngineError['kind'], building: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(building, (error) => error instanceof EngineError && error.kind === kind && message.test(error.message));
}
