import assert from 'node:assert/strict';
import * as z from 'zod';
import { type Answer, good, landed, refused, SOL } from '../support/sandbox/client';
import { STILL_AND_SHORT, useSandbox } from '../support/sandbox/useSandbox';

const Opening = z.object({
  data: z.array(
    z.looseObject({
      id: z.string(),
      tokenId: z.string(),
      protocol: z.string(),
      token0: z.string(),
      token1: z.string(),
      unCollectedFee0: z.number(),
      unCollectedFee1: z.number(),
    }),
  ),
});
type Open = z.output<typeof Opening>['data'][number];

const Claim = z.object({
  data: z.object({
    lastValidBlockHeight: z.int(),
    claimTxs: z.array(z.string()),
    claimTxsWithJito: z.array(z.string()),
    meta: z.object({
      positions: z.array(z.object({ position: z.string(), feeX: z.string(), feeY: z.string(), rewards: z.array(z.unknown()) })),
    }),
  }),
});
const Logs = z.object({ data: z.array(z.object({ action: z.string(), position: z.string(), signature: z.string().nullable() })) });
const Landed = z.object({ data: z.object({ signature: z.string() }) });

describe('Claims of fees in the sandbox', function () {
  const client = useSandbox('each', STILL_AND_SHORT);

  const open = async (): Promise<readonly Open[]> =>
    good(Opening, await client().get('/lp-positions/opening', { owner: client().sandbox.owner })).data;
  const hasFees = (one: Open): boolean => one.unCollectedFee0 + one.unCollectedFee1 > 0;
  const ask = (ids: readonly string[]): Promise<Answer> =>
    client().post('/position/claim-tx', { owner: client().sandbox.owner, position_ids: ids });
  const built = async (ids: readonly string[]): Promise<z.output<typeof Claim>['data']> => good(Claim, await ask(ids)).data;
  const land = (transactions: readonly string[]): Promise<Answer> =>
    client().post('/position/landing-claim-tx', { lastValidBlockHeight: 1, claimTxsWithJito: client().sign(transactions), meta: {} });

  it('All fees of all positions of both types arrive to the unit, the positions stay, and landing again lands nothing', async () => {
    const positions = (await open()).filter(hasFees);
    assert.deepEqual([...new Set(positions.map(({ protocol }) => protocol))].sort(), ['meteora', 'meteora_damm_v2']);
    const mints = [...new Set(positions.flatMap(({ token0, token1 }) => [token0, token1]))].filter((mint) => mint !== SOL);
    const balances = (): Promise<bigint[]> => Promise.all(mints.map((mint) => client().balance(mint)));
    const before = await balances();
    const sol = await client().balance(SOL);

    const claim = await built(positions.map(({ id }) => id));
    assert.deepEqual(
      claim.meta.positions.map(({ position }) => position),
      positions.map(({ tokenId }) => tokenId),
    );
    assert.ok(claim.claimTxsWithJito.length < positions.length, 'several positions share a transaction');
    const { signature } = good(Landed, await land(claim.claimTxsWithJito)).data;

    const promised = new Map<string, bigint>();
    for (const { position, feeX, feeY } of claim.meta.positions) {
      const { token0 = '', token1 = '' } = positions.find(({ tokenId }) => tokenId === position) ?? {};
      promised.set(token0, (promised.get(token0) ?? 0n) + BigInt(feeX));
      promised.set(token1, (promised.get(token1) ?? 0n) + BigInt(feeY));
    }
    const logs = good(Logs, await client().get('/lp-positions/logs', { owner: client().sandbox.owner })).data;
    const claimed = logs.filter((event) => event.signature !== null);
    assert.deepEqual(
      new Set(claimed.map(({ action, position }) => `${action} ${position}`)),
      new Set(claim.meta.positions.map(({ position }) => `claim_fee ${position}`)),
      'only events of landed transactions name one',
    );
    assert.ok(claimed.some((event) => event.signature === signature));
    const after = await balances();
    mints.forEach((mint, at) => assert.equal((after[at] ?? 0n) - (before[at] ?? 0n), promised.get(mint) ?? 0n, mint));
    const cost = (promised.get(SOL) ?? 0n) - ((await client().balance(SOL)) - sol);
    assert.ok(cost > 0n && cost < 20_000_000n, `it cost ${cost} lamports`);
    assert.deepEqual((await open()).filter(hasFees), []);
    assert.equal((await open()).length >= positions.length, true);

    assert.equal(good(Landed, await land(claim.claimTxsWithJito)).data.signature, signature);
    assert.deepEqual(await balances(), after);
    assert.match(refused(400, await ask(positions.map(({ id }) => id))), /nothing to claim/);
    assert.deepEqual(await client().audit(), []);
  });

  it('A claim of which only the first transaction lands is answered so, and building again claims the rest', async () => {
    const positions = (await open()).filter(hasFees);
    const claim = await built(positions.map(({ id }) => id));
    await client().setFaults({ kind: 'partial', transactions: 1, path: '/position/landing-claim-tx', times: 1 });
    refused(500, await land(claim.claimTxsWithJito));
    const left = (await open()).filter(hasFees);
    assert.ok(left.length > 0 && left.length < positions.length, `${left.length} of ${positions.length}`);
    landed(await land((await built(left.map(({ id }) => id))).claimTxsWithJito));
    assert.deepEqual((await open()).filter(hasFees), []);
    assert.deepEqual(await client().audit(), []);
  });

  it('A position without fees among others is left out, and each transaction lands without the others', async () => {
    const positions = (await open()).filter(hasFees);
    const [first = assert.fail()] = positions;
    landed(await land((await built([first.tokenId])).claimTxsWithJito));
    const rest = await built(positions.map(({ id }) => id));
    assert.ok(rest.meta.positions.every(({ position }) => position !== first.tokenId));
    const last = rest.claimTxsWithJito.at(-1) ?? assert.fail();
    landed(await land([last]));
    landed(await land(rest.claimTxsWithJito));
    assert.deepEqual((await open()).filter(hasFees), []);
    assert.deepEqual(await client().audit(), []);
  });
});
