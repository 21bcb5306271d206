import assert from 'node:assert/strict';
import { address, addressBytes } from '../../src/base/solana/address';
import { parseTransaction } from '../../src/base/solana/wireTransaction';
import type { BuilderOptions } from '../../src/chain/build/types';
import { createChainRpc } from '../../src/chain/rpc/client';
import { ChainRpcError } from '../../src/chain/rpc/errors';
import type { ChainRpc } from '../../src/chain/rpc/types';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import { EngineError } from '../../src/engine/engine';
import { BuildDesk, entryOf, exitOf, type Entry } from '../support/chain/builds';
import { swapService, type SwapServiceFaults } from '../support/chain/swapService';
import type { Fault } from '../support/mainnet/rpc/faults';
import { useMainnet } from '../support/mainnet/useMainnet';
import type { LittlePool } from '../support/mainnet/world/pool';
import { giveLamports } from '../support/mainnet/world/tokens';

const zapIn = (lamports: bigint): Entry['input'] => ({ mode: 'zap-in', lamports, percentX: 0.5 });

describe('What cannot be built on the real programs', () => {
  const mainnet = useMainnet({ recording: 'buildFailures' });

  it('A request that cannot be carried out is refused with the reason, and nothing is handed out', async () => {
    const desk = new BuildDesk(mainnet());
    const me = mainnet().wallet(0);
    const { solUsdc, dammSolUsdc } = mainnet().pools;
    const active = await desk.activeBin(solUsdc);
    const range = { strategy: 'Spot' as const, fromBinId: active - 5, toBinId: active + 5 };
    const { position } = await solUsdc.open(me, { x: 1_000_000_000n, y: 150_000_000n });

    await refuses(
      desk.add(me, solUsdc, { ...range, input: zapIn(5_000_000_000_000n) }),
      'invalid',
      /Insufficient balance: .* SOL are needed/,
    );
    await refuses(
      desk.add(me, solUsdc, { ...range, input: { mode: 'normal', amountX: 0, amountY: 9e9 } }),
      'invalid',
      /Insufficient balance/,
    );
    await refuses(desk.add(me, solUsdc, { ...range, toBinId: active + 2_000, input: zapIn(1_000_000_000n) }), 'invalid', /at most 1400/);
    await refuses(
      desk.add(me, solUsdc, { ...range, fromBinId: undefined, input: zapIn(1_000_000_000n) }),
      'invalid',
      /fromBinId is required/,
    );
    const above = { ...range, fromBinId: active + 50, toBinId: active + 60 };
    await refuses(
      desk.add(me, solUsdc, { ...above, input: { ...zapIn(10n ** 9n), percentX: 0 } as Entry['input'] }),
      'invalid',
      /nothing to put in/,
    );
    await refuses(
      desk.add(me, dammSolUsdc, { ...range, input: { mode: 'normal', amountX: 1, amountY: 0 } }),
      'invalid',
      /nothing to put in/,
    );
    await refuses(desk.add(me, { ...solUsdc, address: me.address }, { ...range, input: zapIn(1_000_000_000n) }), 'notFound', /no pool/);
    await refuses(desk.decrease(me, me.address), 'notFound', /no open position/);
    await refuses(desk.decrease(mainnet().wallet(1), position), 'invalid', /does not own/);
    await refuses(
      desk.decrease(me, position, { fromBinId: active + 100, toBinId: active + 200 }),
      'invalid',
      /none of the position's bins/,
    );
    assert.deepEqual(desk.issued, []);
  });

  it('A pool of a token with a transfer hook is refused by name, in entries, exits and quotes', async () => {
    const desk = new BuildDesk(mainnet());
    const me = mainnet().wallet(10);
    const { chain, pools, tokens } = mainnet();
    const opened = new Map<LittlePool, string>();
    for (const pool of [pools.tollUsdc, pools.dammTollUsdc]) {
      opened.set(pool, (await pool.open(me, { x: 100_000_000n, ...(pool.program === 'dlmm' ? { y: 100_000_000n } : {}) })).position);
    }
    const mint = chain.account(tokens.toll.mint) ?? assert.fail();
    chain.put(tokens.toll.mint, { ...mint, data: withTransferHook(mint.data) });
    const hook = new RegExp(`token ${tokens.toll.mint} has a transfer hook`);
    for (const [pool, position] of opened) {
      const active = pool.program === 'dlmm' ? await desk.activeBin(pool) : undefined;
      const range = { strategy: 'Spot' as const, fromBinId: active, toBinId: active };
      await refuses(desk.add(me, pool, { ...range, input: { mode: 'normal', amountX: 1, amountY: 1 } }), 'invalid', hook);
      await refuses(desk.add(me, pool, { ...range, input: zapIn(1_000_000_000n) }), 'invalid', hook);
      await refuses(desk.decrease(me, position, { output: 'both' }), 'invalid', hook);
      await refuses(desk.builder.decreaseQuote(position, 10_000), 'invalid', hook);
    }
    chain.put(tokens.toll.mint, mint);
    assert.deepEqual(desk.issued, []);
  });

  it('What the program refuses in the simulation is told in plain words, and nothing is handed out', async () => {
    const me = mainnet().wallet(2);
    const { solUsdcFine } = mainnet().pools;
    let isMoved = false;
    const desk = new BuildDesk(mainnet(), {
      rpc: beforeCall(mainnet().rpcUrl, 'simulateTransaction', async () => {
        if (!isMoved) {
          isMoved = true;
          await solUsdcFine.swap(mainnet().wallet(59), 'y', 25_000_000_000n);
        }
      }),
    });
    const active = await desk.activeBin(solUsdcFine);
    const entry = {
      strategy: 'Spot' as const,
      fromBinId: active - 5,
      toBinId: active + 5,
      input: { mode: 'normal' as const, amountX: 1, amountY: 150 },
    };
    const build = desk.builder.buildAdd({ pool: solUsdcFine.address, owner: me.address, slippageBps: 1, ...entry });
    await refuses(build, 'invalid', /would fail: the price has moved by more than the slippage tolerance/);
    assert.deepEqual(desk.issued, []);
  });

  it('Where the RPC refuses to search for pools, swaps go through the pool of the operation', async () => {
    mainnet().faults.refuse('getProgramAccounts');
    const desk = new BuildDesk(mainnet());
    const me = mainnet().wallet(3);
    const { memeSol } = mainnet().pools;
    const active = await desk.activeBin(memeSol);
    const entry = { strategy: 'Spot' as const, fromBinId: active - 10, toBinId: active + 10, input: zapIn(1_000_000_000n) };
    const built = await desk.add(me, memeSol, entry);
    await desk.allowsEntry(me, memeSol, entry, built);
    await desk.land(me, entryOf(built));
    assert.equal(desk.logs.filter((line) => line.includes('getProgramAccounts')).length, 1);
  });

  describe('Methods that nothing depends on may be refused in any words, and the operation is built all the same', () => {
    const refusals: readonly (readonly [string, Fault])[] = [
      [
        'an unsupported method',
        { kind: 'refuse', status: 400, code: -32_600, message: 'Unsupported method: x. See available methods at <url>' },
      ],
      ['a method of another plan', { kind: 'refuse', status: 403, code: -32_602, message: 'Indexed requests require a personal token' }],
      ['words of its own', { kind: 'refuse', code: 7, message: 'computer says no' }],
      ['invalid parameters', { kind: 'refuse', code: -32_602, message: 'Transaction version 1 is not supported' }],
      ['a page', { kind: 'page' }],
      ['an HTTP error', { kind: 'http', status: 501 }],
      ['null', { kind: 'null' }],
    ];
    for (const [words, fault] of refusals) {
      it(`The bundle's simulation and the priority fees of the last blocks: ${words}`, async () => {
        const removals = ['simulateBundle', 'getRecentPrioritizationFees'].map((method) => mainnet().faults.add(fault, { method }));
        const desk = new BuildDesk(mainnet());
        const me = mainnet().wallet(11);
        const entry = { strategy: 'Spot' as const, fromBinId: undefined, toBinId: undefined, input: zapIn(1_000_000_000n) };
        const built = await desk.add(me, mainnet().pools.dammSolUsdc, entry);
        removals.forEach((remove) => remove());
        assert.deepEqual(built.simulation, { transactions: 3, simulated: 3 });
        await desk.allowsEntry(me, mainnet().pools.dammSolUsdc, entry, built);
      });
    }

    it('A refused method is not asked for again with the next operation', async () => {
      const remove = mainnet().faults.add({ kind: 'refuse', code: 7, message: 'no' }, { method: 'simulateBundle' });
      const desk = new BuildDesk(mainnet());
      const me = mainnet().wallet(11);
      const entry = { strategy: 'Spot' as const, fromBinId: undefined, toBinId: undefined, input: zapIn(1_000_000_000n) };
      await desk.add(me, mainnet().pools.dammSolUsdc, entry);
      await desk.add(me, mainnet().pools.dammSolUsdc, entry);
      remove();
      assert.equal(desk.logs.filter((line) => line.includes('simulated without bundles')).length, 1);
    });
  });

  it('A node with simulateBundle simulates the whole operation in one request', async () => {
    const asked: unknown[] = [];
    const rpc = beforeCall(mainnet().rpcUrl, 'simulateTransaction', () => assert.fail('The bundle is enough'));
    const desk = new BuildDesk(mainnet(), {
      rpc: {
        ...rpc,
        call: (method, parameters, schema, options) => {
          if (method !== 'simulateBundle') {
            return rpc.call(method, parameters, schema, options);
          }
          asked.push(parameters);
          const fails = {
            err: { InstructionError: [2, { Custom: 6_002 }] },
            logs: [`Program ${DAMM} failed: custom program error: 0x1772`],
          };
          return Promise.resolve(schema.parse({ value: { transactionResults: [{ err: null, logs: [] }, fails] } }));
        },
      },
    });
    const me = mainnet().wallet(4);
    const { dammSolUsdc } = mainnet().pools;
    const entry = { strategy: 'Spot' as const, fromBinId: undefined, toBinId: undefined, input: zapIn(1_000_000_000n) };
    await refuses(desk.add(me, dammSolUsdc, entry), 'invalid', /^Transaction 2 of 3 would fail: the price has moved/);
    assert.equal(asked.length, 1);
  });

  for (const refusal of [
    new ChainRpcError('refused', 'simulateTransaction', 'failed to deserialize', { code: -32_602 }),
    new ChainRpcError('refusedMethod', 'simulateTransaction', 'Transaction version 1 is not supported', { code: -32_602 }),
    new ChainRpcError('unavailable', 'simulateTransaction', 'Internal error', { code: -32_603 }),
  ]) {
    it(`A node that reads no transactions of version 1 (“${refusal.message}”) simulates what stands alone, and the answer says how much that is`, async () => {
      const rpc = createChainRpc({ url: parseRpcUrl(mainnet().rpcUrl), requestsPerSecond: 10_000 });
      const desk = new BuildDesk(mainnet(), {
        rpc: {
          ...rpc,
          call: (method, parameters, schema, options) => {
            const isVersion1 = method === 'simulateTransaction' && Buffer.from(String(parameters[0]), 'base64')[0] === 0x81;
            return isVersion1 ? Promise.reject(refusal) : rpc.call(method, parameters, schema, options);
          },
        },
      });
      const me = mainnet().wallet(9);
      const entry = { strategy: 'Spot' as const, fromBinId: undefined, toBinId: undefined, input: zapIn(1_000_000_000n) };
      const built = await desk.add(me, mainnet().pools.dammSolUsdc, entry);
      assert.deepEqual(built.simulation, { transactions: 3, simulated: 1 });
      assert.ok(desk.logs.some((line) => line.includes('2 of the 3 transactions of an operation were not simulated')));
      await desk.land(me, entryOf(built));
    });
  }

  it('A wallet that has just enough for the swaps but not for the rent is told so', async () => {
    const desk = new BuildDesk(mainnet());
    const me = mainnet().wallet(5);
    giveLamports(mainnet().chain, me.address, 1_000_500_000n);
    const active = await desk.activeBin(mainnet().pools.memeSol);
    const entry = { strategy: 'Spot' as const, fromBinId: active - 5, toBinId: active + 5, input: zapIn(1_000_000_000n) };
    await refuses(
      desk.add(me, mainnet().pools.memeSol, entry),
      'invalid',
      /Insufficient balance: 1\.0\d+ SOL are needed with rent and fees, 1\.0005 SOL/,
    );
  });

  it('The priority fee follows the chain up to a cap, and the review still has no question', async () => {
    const me = mainnet().wallet(6);
    const { dammSolUsdc } = mainnet().pools;
    const entry = { strategy: 'Spot' as const, fromBinId: undefined, toBinId: undefined, input: zapIn(1_000_000_000n) };
    const fees: { readonly perUnit: number; readonly lamports: number }[] = [];
    for (const priorityFee of [0, 200_000, 2_000_000_000]) {
      mainnet().faults.priorityFee = priorityFee;
      const desk = new BuildDesk(mainnet(), { format: 'v1' });
      const built = await desk.add(me, dammSolUsdc, entry);
      await desk.allowsEntry(me, dammSolUsdc, entry, built);
      const [transaction = '', ...others] = entryOf(built);
      assert.deepEqual(others, []);
      const { config } = parseTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
      // The fee of version 1 is a total in lamports; those that the chain reports are millionths of a lamport per compute unit.
      const lamports = Number(config?.priorityFeeLamports);
      fees.push({ lamports, perUnit: (lamports * 1e6) / Number(config?.computeUnitLimit) });
    }
    const [least, usual, most] = fees.map(({ perUnit }) => perUnit);
    // A random part of up to 1,998 distinguishes operations with the same blockhash; two more are for rounding up to a lamport.
    within(least, 25_000, 27_000);
    within(usual, 200_000, 202_000);
    assert.ok(most !== undefined && most > 202_000, String(most));
    assert.ok(fees.every(({ lamports }) => lamports <= 5_000_000));
  });

  it('Swaps by a swap service pass the review and land', async () => {
    const desk = withService(6, {});
    const { desk: of, me } = desk;
    const { solUsdcFine } = mainnet().pools;
    const active = await of.activeBin(solUsdcFine);
    const entry = { strategy: 'Spot' as const, fromBinId: active - 10, toBinId: active + 10, input: zapIn(1_000_000_000n) };
    const built = await of.add(me, solUsdcFine, entry);
    assert.equal(built.meta.provider, 'JUPITER');
    await of.allowsEntry(me, solUsdcFine, entry, built);
    await of.land(me, entryOf(built));
    const exit = await of.decrease(me, built.meta.positionPubKey);
    await of.allowsExit(me, solUsdcFine, built.meta.positionPubKey, {}, exit);
    await of.land(me, exitOf(exit));
  });

  for (const [what, faults] of [
    ['another amount', { inAmount: 1n }],
    ['a wider slippage tolerance', { slippageBps: 5_000 }],
    ['a platform fee', { platformFeeBps: 50 }],
    ['another destination', { destination: 'F7p3dFrjRTbtRp8FRF6qHLomXbKRBzpvBLjtQcfcgmNe' }],
    ['another program', { programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' }],
  ] as const satisfies readonly (readonly [string, SwapServiceFaults])[]) {
    it(`A swap service that writes a swap with ${what} is not believed`, async () => {
      const { desk, me } = withService(7, faults);
      const { dammSolUsdc } = mainnet().pools;
      const entry = { strategy: 'Spot' as const, fromBinId: undefined, toBinId: undefined, input: zapIn(1_000_000_000n) };
      await refuses(desk.add(me, dammSolUsdc, entry), 'unavailable', /The swap service gives no usable swap/);
      assert.deepEqual(desk.issued, []);
    });
  }

  for (const [what, faults, words] of [
    ['is down', { isDown: true }, 'cannot be reached'],
    ['limits the second request of a swap', { instructionsStatus: 429 }, 'it answers 429'],
    ['answers the second request of a swap with an error in 200', { instructionsStatus: 200 }, 'its instructions cannot be read'],
    ['fails at the second request of a swap', { instructionsStatus: 503 }, 'it answers 503'],
  ] as const satisfies readonly (readonly [string, SwapServiceFaults, string])[]) {
    it(`A swap service that ${what} is replaced by Meteora's pools`, async () => {
      const { desk, me } = withService(8, faults);
      const { dammSolUsdc } = mainnet().pools;
      const entry = { strategy: 'Spot' as const, fromBinId: undefined, toBinId: undefined, input: zapIn(1_000_000_000n) };
      const built = await desk.add(me, dammSolUsdc, entry);
      await desk.allowsEntry(me, dammSolUsdc, entry, built);
      assert.ok(desk.logs.some((line) => line.includes(words)));
    });
  }

  function withService(wallet: number, faults: SwapServiceFaults): { readonly desk: BuildDesk; readonly me: ReturnType<typeof walletOf> } {
    const me = walletOf(wallet);
    const rpc = createChainRpc({ url: parseRpcUrl(mainnet().rpcUrl), requestsPerSecond: 10_000 });
    const swapApi: BuilderOptions['swapApi'] = {
      url: 'https://swaps.test/v1',
      fetch: swapService(rpc, mainnet().pools.solUsdc.address, faults),
    };
    return { desk: new BuildDesk(mainnet(), { swapApi }), me };
  }

  function walletOf(index: number): ReturnType<ReturnType<typeof mainnet>['wallet']> {
    return mainnet().wallet(index);
  }
});

/** A mint of Token-2022 with one more extension: transfer hook (type 14), an authority and the program that each transfer calls. */
function withTransferHook(mint: Uint8Array): Uint8Array {
  const head = Buffer.from([14, 0, 64, 0]);
  return new Uint8Array(Buffer.concat([mint, head, Buffer.alloc(32), addressBytes(address(DAMM))]));
}

const DAMM = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG';

/** An RPC that runs something before each call of a method. */
function beforeCall(url: string, watched: string, run: () => void | Promise<void>): ChainRpc {
  const rpc = createChainRpc({ url: parseRpcUrl(url), requestsPerSecond: 10_000 });
  return {
    ...rpc,
    call: async (method, parameters, schema, options) => {
      if (method === watched) {
        await run();
      }
      return rpc.call(method, parameters, schema, options);
    },
  };
}

function within(value: number | undefined, least: number, most: number): void {
  assert.ok(value !== undefined && value >= least && value <= most, `${value} is not from ${least} to ${most}`);
}

async function refuses(build: Promise<unknown>, kind: EngineError['kind'], words: RegExp): Promise<void> {
  await assert.rejects(build, (error) => {
    assert.ok(error instanceof EngineError, String(error));
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, words);
    return true;
  });
}
