import assert from 'node:assert/strict';
import { BuildDesk } from '../support/chain/builds';
import { useMainnet } from '../support/mainnet/useMainnet';

const SOL = 10n ** 9n;
const USDC = 10n ** 6n;
/** Longer than it takes to send what is sent together, also on a busy machine. */
const ANSWER_MS = 250;

/** Of one operation: the most requests, and the most of which each waits for the one before. */
interface Most {
  readonly requests: number;
  readonly waves: number;
}

describe('The requests of a build', () => {
  const mainnet = useMainnet({ recording: 'requests' });
  let desk: BuildDesk;
  before(() => {
    desk = new BuildDesk(mainnet());
  });

  async function takesAtMost(most: Most, build: () => Promise<unknown>): Promise<void> {
    // What is remembered of pools and rent is not read again.
    await build();
    const { rpc, faults } = mainnet();
    const undelayed = faults.add({ kind: 'delay', ms: ANSWER_MS });
    rpc.resetCounts();
    await build();
    undelayed();
    const { requests, waves, counts } = rpc;
    assert.ok(requests <= most.requests && waves <= most.waves, `${requests} in ${waves}: ${JSON.stringify([...counts])}`);
  }

  it('A zap-in with a swap takes 12 requests, 9 of them one after the other', async () => {
    const { solUsdc } = mainnet().pools;
    const active = await desk.activeBin(solUsdc);
    const entry = {
      strategy: 'Spot',
      fromBinId: active - 10,
      toBinId: active + 10,
      input: { mode: 'zap-in', lamports: SOL, percentX: 0.5 },
    } as const;
    await takesAtMost({ requests: 12, waves: 9 }, () => desk.add(mainnet().wallet(0), solUsdc, entry));
  });

  it('An exit with a swap takes 13 requests, 9 of them one after the other; a claim 8, of which 6', async () => {
    const me = mainnet().wallet(0);
    const { solUsdc } = mainnet().pools;
    const { position } = await solUsdc.open(me, { x: SOL, y: 150n * USDC });
    await solUsdc.swap(mainnet().wallet(1), 'x', SOL);
    await solUsdc.swap(mainnet().wallet(1), 'y', 150n * USDC);
    await takesAtMost({ requests: 13, waves: 9 }, () => desk.decrease(me, position, { output: 'allToken1' }));
    await takesAtMost({ requests: 8, waves: 6 }, () => desk.builder.buildClaim({ owner: me.address, positionIds: [position] }));
  });
});
