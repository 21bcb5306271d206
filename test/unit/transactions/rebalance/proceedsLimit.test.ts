import assert from 'node:assert/strict';
import { runRebalance } from '../../../../src/transactions/rebalance/rebalance';
import { OWNER, POSITION } from '../../../support/review/bundles';
import { World } from '../../../support/transactions/rebalance/rebalanceWorld';

const BACK = 100_000_000_000n;

describe('rebalance: limit of the re-entry amount', function () {
  let world: World;
  beforeEach(async () => (world = await World.make()));
  afterEach(() => world.dispose());

  /** Rebalances a position of 100 SOL; what is built takes so many times of what was asked for. */
  async function rebalanced(times: number) {
    world.listed = world.listed.map((position) => ({ ...position, value: { usd: undefined, native: 100 } }));
    world.landOut = () => {
      world.listed = world.listed.filter(({ address }) => address !== POSITION);
      world.walletLamports += BACK;
      world.outs.push(BACK);
    };
    const built = world.buildAdd.bind(world);
    world.buildAdd = (request) => {
      assert.ok(request.mode === 'zap-in');
      return built({ ...request, inputSol: Number((request.inputSol * times).toFixed(9)) });
    };
    const window = await world.open();
    const position = window.portfolio.snapshot.positions.find(({ address }) => address === POSITION);
    assert.ok(position !== undefined);
    const result = await window.run(() =>
      runRebalance(
        { position, owner: OWNER, terms: { halfWidthBins: 10, strategy: undefined, slippageBps: 300, reserveLamports: 0n } },
        window.dependencies,
        window.host,
        window.abort.signal,
      ),
    );
    assert.ok(result !== 'struck');
    return { result, window };
  }

  it('The review blocks a re-entry that exceeds the proceeds, even by a hundredth', async () => {
    const { result } = await rebalanced(1.009);
    assert.ok(result.kind === 'notReentered' && result.reason === 'blocked', result.kind);
    assert.ok(result.review?.findings.some(({ rule, verdict }) => rule === 'LIM-1' && verdict === 'block'));
    assert.equal(world.ins.length, 0);
  });

  it('The review allows a re-entry of exactly the requested amount', async () => {
    const { result, window } = await rebalanced(1);
    assert.equal(result.kind, 'settled', window.logs.join('\n'));
    assert.ok(world.ins.length === 1 && (world.ins[0] ?? BACK) < BACK);
  });
});
