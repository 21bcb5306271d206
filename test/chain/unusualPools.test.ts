import assert from 'node:assert/strict';
import {
  ActivationType,
  BaseFeeMode,
  CollectFeeMode,
  CpAmm,
  derivePositionAddress,
  derivePositionNftAccount,
  getBaseFeeParams,
  getDynamicFeeParams,
  MAX_SQRT_PRICE,
  MIN_SQRT_PRICE,
} from '@meteora-ag/cp-amm-sdk';
import DLMM, { deriveCustomizablePermissionlessLbPair } from '@meteora-ag/dlmm';
import { type Keypair, PublicKey } from '@solana/web3.js';
import BN from 'bn.js';
import { systemClock } from '../../src/base/async/clock';
import { maxBinIdOf } from '../../src/base/dlmm/bins';
import { address, type Address } from '../../src/base/solana/address';
import { PROGRAMS } from '../../src/base/solana/programs';
import { CLOCK_ADDRESS } from '../../src/chain/positions/clock';
import { createPoolParts, type PoolServices } from '../../src/chain/records/poolParts';
import { ChainPoolReader } from '../../src/chain/pools/poolReader';
import { ChainPositionReader } from '../../src/chain/positions/positionReader';
import { PositionStates } from '../../src/chain/records/positionStates';
import { ChainRpcError } from '../../src/chain/rpc/errors';
import type { ChainRpc } from '../../src/chain/rpc/types';
import { EngineError } from '../../src/engine/engine';
import { indexOf, type TestIndex } from '../support/chain/indexOf';
import { mintOf } from '../support/chain/dataPools';
import { useMainnet } from '../support/mainnet/useMainnet';
import { keypairOf, type LittleToken, TOKENS } from '../support/mainnet/world/tokens';

const PROTOCOLS = { bins: 'meteora', product: 'meteora_damm_v2' };
const HOUR_S = 3_600;
/** The build of DAMM v2 for tests allows no later activation. */
const SOON_S = 5;
const NOBODY = mintOf(9);
/** Places in the accounts: LbPair, and Pool of DAMM v2. */
const ACTIVE_BIN_AT = 76;
const BIN_STEP_AT = 80;
const BASE_FEE_MODE_AT = 16;

const mainnet = useMainnet({ recording: 'unusualPools' });

describe('chain: pools in unusual states', () => {
  let test: TestIndex;
  let parts: PoolServices;

  beforeEach(() => {
    test = indexOf(mainnet().rpcUrl);
    parts = newParts();
  });
  afterEach(() => test.stop());

  const newPools = (): ChainPoolReader => new ChainPoolReader({ rpc: test.rpc, clock: systemClock });
  /** Without what others have read before. */
  const newParts = (): PoolServices => {
    const { rpc, index } = test;
    const log = (line: string): void => assert.fail(line);
    const now = (): number => mainnet().chain.blockTime() * 1_000;
    const pools = newPools();
    const prices = { now: async () => new Map([[mainnet().tokens.sol.mint, 150]]), at: async () => undefined };
    const positions = new ChainPositionReader({ rpc, index, now: () => performance.now(), log });
    const states = new PositionStates({ index, pools, prices, protocols: PROTOCOLS, now, log });
    return createPoolParts({
      rpc,
      index,
      pools,
      positions,
      states,
      prices,
      dataApis: { dlmm: undefined, damm: undefined },
      recorded: () => [],
      protocols: PROTOCOLS,
      now,
      log,
    });
  };
  const nowS = (): number => mainnet().chain.blockTime();

  /** A DLMM pool as anybody can create one, without liquidity; its creator may disable it before its activation. */
  const newBinPool = async (x: LittleToken, binStep: number, activeId: number, activationPoint?: number): Promise<DLMM> => {
    const { sender, tokens } = mainnet();
    const { keypair } = mainnet().wallet(0);
    const mints = [new PublicKey(x.mint), new PublicKey(tokens.usdc.mint)] as const;
    const transaction = await DLMM.createCustomizablePermissionlessLbPair2(
      ...([sender.connection, new BN(binStep), ...mints, new BN(activeId), new BN(200), ActivationType.Timestamp] as const),
      ...([false, keypair.publicKey, activationPoint === undefined ? undefined : new BN(activationPoint), true] as const),
    );
    sender.send([transaction], [keypair]);
    const [pool] = deriveCustomizablePermissionlessLbPair(...mints, new PublicKey(PROGRAMS.dlmm));
    return await DLMM.create(sender.connection, pool);
  };

  /** A DAMM v2 pool whose base fee falls from 50 % to 1 % in ten steps within the hour after its activation. */
  const newScheduledPool = async (activationPoint: number): Promise<{ readonly pool: Address; readonly nft: Keypair }> => {
    const { sender, tokens } = mainnet();
    const { meme, usdc } = tokens;
    const creator = mainnet().wallet(1).keypair;
    const sdk = new CpAmm(sender.connection);
    const amounts = { tokenAAmount: new BN(10n ** 9n), tokenBAmount: new BN(10n ** 9n) };
    const feeTimeSchedulerParam = { startingFeeBps: 5_000, endingFeeBps: 100, numberOfPeriod: 10, totalDuration: HOUR_S };
    const collectFeeMode = CollectFeeMode.BothToken;
    const prices = { minSqrtPrice: MIN_SQRT_PRICE, maxSqrtPrice: MAX_SQRT_PRICE };
    const nft = keypairOf('first position of the scheduled pool');
    const { tx, pool } = await sdk.createCustomPool({
      ...{ payer: creator.publicKey, creator: creator.publicKey, positionNft: nft.publicKey },
      ...{ tokenAMint: new PublicKey(meme.mint), tokenBMint: new PublicKey(usdc.mint), ...amounts },
      ...{ sqrtMinPrice: MIN_SQRT_PRICE, sqrtMaxPrice: MAX_SQRT_PRICE },
      ...sdk.preparePoolCreationParams({ ...amounts, ...prices, collectFeeMode }),
      poolFees: {
        baseFee: getBaseFeeParams({ baseFeeMode: BaseFeeMode.FeeTimeSchedulerLinear, feeTimeSchedulerParam }),
        compoundingFeeBps: 0,
        padding: 0,
        dynamicFee: getDynamicFeeParams(100),
      },
      ...{ hasAlphaVault: false, activationType: ActivationType.Timestamp, collectFeeMode, activationPoint: new BN(activationPoint) },
      ...{ tokenAProgram: new PublicKey(meme.program), tokenBProgram: new PublicKey(usdc.program) },
    });
    sender.send([tx], [creator, nft]);
    return { pool: address(pool.toBase58()), nft };
  };

  /** Writes bytes into the account of a pool for the time of `run`. */
  const withBytes = async (pool: Address, at: number, bytes: Uint8Array, run: () => Promise<void>): Promise<void> => {
    const { chain } = mainnet();
    const before = known(chain.account(pool));
    const data = Uint8Array.from(before.data);
    data.set(bytes, at);
    chain.put(pool, { ...before, data });
    try {
      await run();
    } finally {
      chain.put(pool, before);
    }
  };

  /** The pool has no positions. */
  const assertEmpty = async (pool: Address): Promise<void> => {
    const { amountX, amountY, poolStats, liquidityViz } = await parts.poolInfo(pool);
    assert.deepEqual([amountX, amountY, poolStats['tvl']], [0, 0, 0]);
    assert.ok((liquidityViz?.bins ?? []).every(({ xAmount, yAmount }) => xAmount === 0 && yAmount === 0));
    assert.deepEqual((await parts.onchainStats(pool)).poolStats, [
      { pool, total_open_positions: 0, unique_owners: 0, total_input_value: 0, total_input_native: 0 },
    ]);
    const page = { pool, page: 1, pageSize: 10, sortOrder: 'desc' } as const;
    assert.deepEqual((await parts.topLpers({ ...page, orderBy: 'total_pnl' })).data, []);
    const filter = { owner: undefined, status: undefined, minPnlUsd: undefined, minPnlNative: undefined };
    assert.deepEqual((await parts.poolPositions({ ...page, ...filter, orderBy: 'value' })).positions, []);
  };

  it('A DLMM pool that is disabled, not activated yet and empty has the fees that the SDK reads, and holds nothing', async () => {
    const sdk = await newBinPool(mainnet().tokens.meme, 100, 5, nowS() + HOUR_S);
    const creator = mainnet().wallet(0).keypair;
    mainnet().sender.send([await sdk.setPairStatusPermissionless(false, creator.publicKey)], [creator]);
    const pool = address(sdk.pubkey.toBase58());
    const { feeInfo, poolState, liquidityViz } = await parts.poolInfo(pool);
    const theirs = sdk.getFeeInfo();
    assert.deepEqual(
      [feeInfo.baseFeeRatePercentage, feeInfo.maxFeeRatePercentage, feeInfo.protocolFeePercentage, feeInfo.dynamicFee],
      [2, Number(theirs.maxFeeRatePercentage), Number(theirs.protocolFeePercentage), Number(sdk.getDynamicFee())],
    );
    assert.deepEqual([poolState['status'], poolState['activationPoint']], [1, String(sdk.lbPair.activationPoint)]);
    assert.equal(liquidityViz?.activeBin.binId, 5);
    assert.ok(liquidityViz.bins.length >= 71);
    await assertEmpty(pool);
  });

  it('Amounts of a Token-2022 with a transfer fee are those that the pool holds, also after a trade', async () => {
    const { tollUsdc } = mainnet().pools;
    await tollUsdc.swap(mainnet().wallet(2), 'x', 1_000_000_000n);
    const { tokenX, tokenY, lbPair } = await DLMM.create(mainnet().sender.connection, new PublicKey(tollUsdc.address));
    const held = [
      tokenX.amount - BigInt(lbPair.protocolFee.amountX.toString()),
      tokenY.amount - BigInt(lbPair.protocolFee.amountY.toString()),
    ];
    const { amountX, amountY, liquidityViz } = await parts.poolInfo(tollUsdc.address);
    assert.deepEqual(
      [amountX, amountY],
      held.map((raw) => Number(raw) / 1e6),
    );
    const sumOf = (side: 'xAmount' | 'yAmount'): number => (liquidityViz?.bins ?? []).reduce((sum, bin) => sum + bin[side], 0);
    // The rest is the fee of the trade, which is in X, and rounding.
    assert.ok(sumOf('xAmount') <= amountX && sumOf('xAmount') > amountX - 4 && Math.abs(sumOf('yAmount') - amountY) < 1e-3);
  });

  it('A pool whose active bin is the first or last one shows only bins that have a price', async () => {
    const { parameters } = (await newBinPool(mainnet().tokens.toll, 400, 0)).lbPair;
    const pool = address(deriveCustomizablePermissionlessLbPair(...tollUsdc(), new PublicKey(PROGRAMS.dlmm))[0].toBase58());
    for (const activeId of [parameters.minBinId, parameters.maxBinId, -maxBinIdOf(400), maxBinIdOf(400)]) {
      await withBytes(pool, ACTIVE_BIN_AT, int32(activeId), async () => {
        const { liquidityViz } = await newParts().poolInfo(pool);
        assert.equal(liquidityViz?.activeBin.binId, activeId);
        for (const { price, pricePerToken } of [liquidityViz.activeBin, ...liquidityViz.bins]) {
          assert.ok(Number(price) > 0 && Number.isFinite(Number(pricePerToken)) && /^[\d.]+$/.test(price), price);
        }
      });
    }
  });

  it('A pool with an impossible active bin or bin step is not found, and other pools are read', async () => {
    const { solUsdc, memeSol } = mainnet().pools;
    for (const [at, bytes] of [
      [ACTIVE_BIN_AT, int32(maxBinIdOf(10) + 1)],
      [BIN_STEP_AT, Uint8Array.of(0x91, 1)],
      [BIN_STEP_AT, Uint8Array.of(0, 0)],
    ] as const) {
      await withBytes(solUsdc.address, at, bytes, async () => {
        await assert.rejects(
          async () => newParts().poolInfo(solUsdc.address),
          (error) => error instanceof EngineError && error.kind === 'notFound',
        );
        assert.deepEqual([...(await newPools().pools([solUsdc.address, memeSol.address])).keys()], [memeSol.address]);
      });
    }
  });

  it('The base fee of a DAMM v2 pool with a schedule is the first one until its activation, and then follows the schedule', async () => {
    const { pool, nft } = await newScheduledPool(nowS() + SOON_S);
    const base = async (): Promise<unknown> => (await newParts().poolInfo(pool)).feeInfo.baseFeeRatePercentage;
    assert.equal(await base(), 50);
    mainnet().advance({ seconds: HOUR_S / 2 + SOON_S });
    assert.equal(await base(), 25.5);
    mainnet().advance({ seconds: HOUR_S });
    assert.equal(await base(), 1);
    const { sender } = mainnet();
    const sdk = new CpAmm(sender.connection);
    const position = derivePositionAddress(nft.publicKey);
    const creator = mainnet().wallet(1).keypair;
    const close = await sdk.removeAllLiquidityAndClosePosition({
      ...{ owner: creator.publicKey, position, positionNftAccount: derivePositionNftAccount(nft.publicKey) },
      ...{ poolState: await sdk.fetchPoolState(new PublicKey(pool)), positionState: await sdk.fetchPositionState(position) },
      ...{ tokenAAmountThreshold: new BN(0), tokenBAmountThreshold: new BN(0), vestings: [], currentPoint: new BN(nowS()) },
    });
    sender.send([close], [creator]);
    parts = newParts();
    await assertEmpty(pool);
  });

  it('Fees of an unknown kind are null, and everything else is known', async () => {
    const { dammSolUsdc } = mainnet().pools;
    const usual = await newParts().poolInfo(dammSolUsdc.address);
    await withBytes(dammSolUsdc.address, BASE_FEE_MODE_AT, Uint8Array.of(99), async () => {
      const { feeInfo, amountX, poolStats } = await newParts().poolInfo(dammSolUsdc.address);
      assert.deepEqual(feeInfo, {
        ...{ baseFeeRatePercentage: null, maxFeeRatePercentage: null, dynamicFee: null },
        protocolFeePercentage: usual.feeInfo.protocolFeePercentage,
      });
      assert.deepEqual([amountX, poolStats['fee']], [usual.amountX, null]);
      const { positions } = await newParts().poolPositions({
        ...{ pool: dammSolUsdc.address, owner: undefined, status: undefined, orderBy: 'value', sortOrder: 'desc', page: 1, pageSize: 5 },
        ...{ minPnlUsd: undefined, minPnlNative: undefined },
      });
      assert.deepEqual(
        positions.map(({ poolInfo }) => poolInfo.fee),
        [null],
      );
    });
  });

  it("Without the chain's clock, which fees depend on, reading a pool fails with that reason", async () => {
    const { rpc } = test;
    const withoutClock: ChainRpc = {
      ...rpc,
      call: (method, [addresses, ...rest], schema, options) =>
        rpc.call(method, [(addresses as readonly string[]).map((of) => (of === CLOCK_ADDRESS ? NOBODY : of)), ...rest], schema, options),
    };
    const reader = new ChainPoolReader({ rpc: withoutClock, clock: systemClock });
    await assert.rejects(
      reader.pool(mainnet().pools.dammSolUsdc.address),
      (error) => error instanceof ChainRpcError && error.kind === 'unavailable' && error.message.includes('clock'),
    );
  });
});

function tollUsdc(): readonly [PublicKey, PublicKey] {
  return [new PublicKey(TOKENS.toll.mint), new PublicKey(TOKENS.usdc.mint)];
}

function int32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function known<Value>(value: Value | undefined): Value {
  assert.ok(value !== undefined);
  return value;
}
