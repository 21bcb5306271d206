import assert from 'node:assert/strict';
import DLMM from '@meteora-ag/dlmm';
import { PublicKey } from '@solana/web3.js';
import { priceOfBin } from '../../src/base/dlmm/bins';
import { parseBase64Transaction, parseTransaction } from '../../src/base/solana/wireTransaction';
import { EngineError } from '../../src/engine/engine';
import type { PositionBin } from '../../src/engine/build/ports';
import { BuildDesk, entryOf } from '../support/chain/builds';
import type { MainnetPools } from '../support/mainnet/mainnet';
import { useMainnet } from '../support/mainnet/useMainnet';
import type { LittlePool } from '../support/mainnet/world/pool';

const SOL = 10n ** 9n;
const MILLION = 10n ** 6n;
/** Of a transaction: signature, priority fee, rent that comes back at the end. */
const MOST_COSTS = 100_000n;

describe('Deposits into open positions on the real programs', () => {
  const mainnet = useMainnet({ recording: 'deposits' });

  for (const [place, [strategy, format, bins]] of (
    [
      ['Spot', 'service', [-10, 10]],
      ['Curve', 'v1', [-30, 30]],
      ['BidAsk', 'v0', [-100, 99]],
      ['Curve', 'v1', [-60, 59]],
    ] as const
  ).entries()) {
    it(`A deposit of both tokens into ${bins[1] - bins[0] + 1} bins has the shape of the position, ${strategy}, and takes what was chosen, transactions: ${format}`, async () => {
      const desk = new BuildDesk(mainnet(), { format });
      const me = mainnet().wallet(place);
      const { solUsdc } = mainnet().pools;
      const { position } = await solUsdc.open(me, { x: 2n * SOL, y: 300n * MILLION, bins, strategy });
      const before = await heldBins(desk, solUsdc, position);
      const [sol, usdc] = [mainnet().balance(me, 'sol'), mainnet().balance(me, 'usdc')];

      const built = await desk.deposit(me, position, { input: { mode: 'normal', amountX: 1, amountY: 150 } });
      assert.equal(built.meta.positionPubKey, position);
      assert.deepEqual(built.swapTxsWithJito, []);
      assert.ok(entryOf(built).every((text) => signersOf(text) === 1));
      assert.deepEqual(built.simulation, { transactions: entryOf(built).length, simulated: entryOf(built).length });
      await desk.land(me, entryOf(built));

      const after = await heldBins(desk, solUsdc, position);
      near(sum(after, 'x') - sum(before, 'x'), SOL);
      near(sum(after, 'y') - sum(before, 'y'), 150n * MILLION);
      near(usdc - mainnet().balance(me, 'usdc'), 150n * MILLION);
      const costs = sol - mainnet().balance(me, 'sol') - SOL;
      assert.ok(costs < MOST_COSTS * BigInt(entryOf(built).length), `it cost ${costs} lamports`);
      // Every bin beside the active one has half as much again. In wide positions the SDK gives the outermost bin nothing.
      const active = await desk.activeBin(solUsdc);
      const price = priceOfBin(active, solUsdc.binStep ?? 0);
      const valueOf = (bin: PositionBin | undefined): number => Number(bin?.liquidity.x) * price + Number(bin?.liquidity.y);
      const most = Math.max(...before.map(valueOf));
      for (const [at, bin] of before.entries()) {
        const [was, is] = [valueOf(bin), valueOf(after[at])];
        const isNear = Math.abs(is - 1.5 * was) <= most / 100;
        assert.ok(Math.abs(bin.binId - active) < 2 || isNear, `bin ${bin.binId - active}: ${was} became ${is} beside ${most}`);
      }
    });
  }

  for (const [place, name] of (['solUsdc', 'memeSol', 'tollUsdc', 'dammSolUsdc', 'dammTollUsdc'] as const).entries()) {
    it(`A deposit from SOL into a position in ${name} is swapped and lands in it`, async () => {
      const desk = new BuildDesk(mainnet());
      const me = mainnet().wallet(10 + place);
      const pool = mainnet().pools[name];
      const { position } = await pool.open(me, depositOf(name));
      const before = await worthOf(desk, position);
      const built = await desk.deposit(me, position, { input: { mode: 'zap-in', lamports: SOL, percentX: 0.5 } });
      await desk.land(me, entryOf(built));
      const gained = (await worthOf(desk, position)) - before;
      assert.ok(gained > 0.93 && gained < 1, `${gained} SOL`);
    });
  }

  it('A deposit of both tokens into a position in a pool without bins is at most what was chosen, and costs no rent', async () => {
    const desk = new BuildDesk(mainnet());
    const me = mainnet().wallet(20);
    const { position } = await mainnet().pools.dammSolUsdc.open(me, { x: SOL });
    const before = await desk.builder.decreaseQuote(position, 10_000);
    const [sol, usdc] = [mainnet().balance(me, 'sol'), mainnet().balance(me, 'usdc')];
    const built = await desk.deposit(me, position, { input: { mode: 'normal', amountX: 1, amountY: 150 } });
    await desk.land(me, entryOf(built));
    const after = await desk.builder.decreaseQuote(position, 10_000);
    const spent = usdc - mainnet().balance(me, 'usdc');
    near(BigInt(Math.round((Number(after.token1.amount) - Number(before.token1.amount)) * 1e6)), spent);
    assert.ok(spent > 145n * MILLION && spent <= 150n * MILLION, `${spent}`);
    assert.ok(sol - mainnet().balance(me, 'sol') <= SOL + MOST_COSTS * 2n);
  });

  it('A deposit goes into the chosen bins alone, and none goes beside the position', async () => {
    const desk = new BuildDesk(mainnet());
    const me = mainnet().wallet(21);
    const { solUsdc } = mainnet().pools;
    const { position } = await solUsdc.open(me, { x: SOL, y: 150n * MILLION });
    const before = await heldBins(desk, solUsdc, position);
    const active = await desk.activeBin(solUsdc);
    const input = { mode: 'normal', amountX: 0, amountY: 50 } as const;
    const range = { fromBinId: active - 8, toBinId: active - 3 };
    await desk.land(me, entryOf(await desk.deposit(me, position, { input, strategy: 'Spot', ...range })));
    const after = await heldBins(desk, solUsdc, position);
    const changed = after.filter(({ liquidity: { x, y } }, at) => before[at]?.liquidity.x !== x || before[at].liquidity.y !== y);
    assert.deepEqual(
      changed.map(({ binId }) => binId - active),
      [-8, -7, -6, -5, -4, -3],
    );
    const beside = desk.deposit(me, position, { input, fromBinId: active - 11 });
    await refused('invalid', beside, /fromBinId is -?\d+; the position has the bins/);
    const above = desk.deposit(me, position, { input, fromBinId: active + 1 });
    await refused('invalid', above, /nothing to put in/);
  });

  it('More than the wallet has, the position of another wallet, and one that there is not, are refused', async () => {
    const desk = new BuildDesk(mainnet());
    const [me, other] = [mainnet().wallet(22), mainnet().wallet(23)];
    const { position } = await mainnet().pools.solUsdc.open(me, { x: SOL });
    const input = { mode: 'normal', amountX: 1, amountY: 1 } as const;
    await refused('invalid', desk.deposit(me, position, { input: { ...input, amountY: 1e9 } }), /Insufficient balance/);
    await refused('invalid', desk.deposit(me, position, { input: { ...input, amountX: 1e6 } }), /Insufficient balance/);
    await refused('invalid', desk.deposit(other, position, { input }), /does not own/);
    await refused('notFound', desk.deposit(me, me.address, { input }), /no open position/);
  });

  async function worthOf(desk: BuildDesk, position: string): Promise<number> {
    return (await desk.builder.decreaseQuote(position, 10_000)).valueNative ?? assert.fail();
  }
});

function depositOf(name: keyof MainnetPools): Parameters<LittlePool['open']>[1] {
  switch (name) {
    case 'memeSol':
      return { x: 1_000n * 10n ** 5n, y: SOL };
    case 'tollUsdc':
      return { x: 100n * MILLION, y: 100n * MILLION };
    case 'dammTollUsdc':
      return { x: 100n * MILLION };
    default:
      return name.startsWith('damm') ? { x: SOL } : { x: SOL, y: 150n * MILLION };
  }
}

/** What a position has in its bins. */
async function heldBins(desk: BuildDesk, pool: LittlePool, position: string): Promise<readonly PositionBin[]> {
  const dlmm = await DLMM.create(desk.rpc.connection, new PublicKey(pool.address));
  const { positionData } = await dlmm.getPosition(new PublicKey(position));
  return positionData.positionBinData.map((bin) => ({
    binId: bin.binId,
    liquidity: { x: BigInt(bin.positionXAmount), y: BigInt(bin.positionYAmount) },
    fees: { x: BigInt(bin.positionFeeXAmount), y: BigInt(bin.positionFeeYAmount) },
  }));
}

function sum(bins: readonly PositionBin[], token: 'x' | 'y'): bigint {
  return bins.reduce((total, { liquidity }) => total + liquidity[token], 0n);
}

function signersOf(text: string): number {
  return parseTransaction(Buffer.from(parseBase64Transaction(text) ?? assert.fail(), 'base64')).requiredSignatures;
}

/** Within what rounding and the composition fee of the active bin take. */
function near(got: bigint, wanted: bigint): void {
  assert.ok(Math.abs(Number(got - wanted)) <= Number(wanted) / 1_000 + 1_000, `${got} of ${wanted}`);
}

async function refused(kind: EngineError['kind'], building: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(building, (error) => error instanceof EngineError && error.kind === kind && message.test(error.message));
}
