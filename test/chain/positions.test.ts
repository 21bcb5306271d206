import assert from 'node:assert/strict';
import { CpAmm, derivePositionNftAccount, getUnClaimLpFee } from '@meteora-ag/cp-amm-sdk';
import DLMM from '@meteora-ag/dlmm';
import { createAssociatedTokenAccountInstruction, createTransferInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { Connection, PublicKey, Transaction } from '@solana/web3.js';
import BN from 'bn.js';
import { address, type Address } from '../../src/base/solana/address';
import { dammPositionNftAccount } from '../../src/base/solana/pda';
import { PROGRAMS } from '../../src/base/solana/programs';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import type { IndexedPosition, IndexProgress } from '../../src/chain/index/types';
import { ChainPositionReader } from '../../src/chain/positions/positionReader';
import type { OnchainPosition } from '../../src/chain/positions/types';
import { createChainRpc } from '../../src/chain/rpc/client';
import { useMainnet } from '../support/mainnet/useMainnet';
import type { LittlePool, Wallet } from '../support/mainnet/world/pool';

const SOL = 10n ** 9n;
const USDC = 10n ** 6n;

describe('Open positions on the real programs', () => {
  const mainnet = useMainnet({ recording: 'positions' });
  const trader = (): Wallet => mainnet().wallet(59);

  it('Amounts, fees and ranges equal those of the official SDKs to the last unit', async () => {
    const me = mainnet().wallet(0);
    const { solUsdc, memeSol, tollUsdc, dammSolUsdc, dammMemeSol, dammTollUsdc } = mainnet().pools;
    const narrow = await solUsdc.open(me, { x: SOL, y: 150n * USDC, bins: [-10, 10] });
    const wide = await solUsdc.open(me, { x: 3n * SOL, y: 450n * USDC, bins: [-70, 60], strategy: 'Curve' });
    const below = await memeSol.open(me, { y: 2n * SOL, bins: [-69, -1], strategy: 'BidAsk' });
    const toll = await tollUsdc.open(me, { x: 1_000n * 10n ** BigInt(tollUsdc.x.decimals), y: 1_000n * USDC, bins: [-5, 5] });
    const damm = await Promise.all([
      dammSolUsdc.open(me, { x: 5n * SOL }),
      dammMemeSol.open(me, { y: SOL }),
      dammTollUsdc.open(me, { y: 100n * USDC }),
    ]);
    await trade([solUsdc, memeSol, tollUsdc, dammSolUsdc, dammMemeSol, dammTollUsdc]);
    await solUsdc.claim(me, narrow.position);
    await trade([solUsdc, dammSolUsdc]);

    const { reader } = connected();
    const { positions: open } = await reader.openPositions(me.address);
    assert.deepEqual(
      sorted(open.map(({ address: of }) => of)),
      sorted([narrow, wide, below, toll, ...damm].map(({ position }) => position)),
    );
    for (const position of open) {
      assert.deepEqual(position, await asTheSdkSays(position));
    }
    const ofNarrow = known(open.find(({ address: of }) => of === narrow.position));
    assert.ok(ofNarrow.unclaimedFees.x > 0n);
  });

  it('Locked and vesting liquidity belongs to a position, and only the rest of it can be withdrawn', async () => {
    const me = mainnet().wallet(9);
    const { dammSolUsdc } = mainnet().pools;
    const { position } = await dammSolUsdc.open(me, { x: 4n * SOL });
    const { reader } = connected();
    const before = known(await reader.openPosition(position));
    await lockHalf(position, dammSolUsdc, me);
    const locked = known(await reader.openPosition(position));
    assert.deepEqual(locked, { ...before, withdrawableShare: locked.withdrawableShare });
    assert.equal(locked.withdrawableShare.toFixed(9), '0.500000000');
    assert.deepEqual(locked, await dammBySdk(locked));
    await dammSolUsdc.withdraw(me, position, 10_000);
    const rest = known(await reader.openPosition(position));
    assert.equal(rest.withdrawableShare, 0);
    assert.ok(rest.amounts.x - before.amounts.x / 2n <= 1n && rest.amounts.x > before.amounts.x / 2n - 2n);
  });

  it('A position without liquidity is listed with nothing in it, and a closed one is not listed', async () => {
    const me = mainnet().wallet(1);
    const { solUsdc, dammSolUsdc } = mainnet().pools;
    const [empty, closed, dammClosed] = [
      await solUsdc.open(me, { x: SOL, bins: [1, 10] }),
      await solUsdc.open(me, { x: SOL, bins: [1, 10] }),
      await dammSolUsdc.open(me, { x: SOL }),
    ];
    const { reader } = connected();
    assert.equal((await reader.openPositions(me.address)).positions.length, 3);
    await solUsdc.withdraw(me, empty.position, 10_000);
    await solUsdc.close(me, closed.position);
    await dammSolUsdc.close(me, dammClosed.position);
    const { positions: open } = await reader.openPositions(me.address);
    assert.deepEqual(
      open.map(({ address: of, amounts, liquidity }) => [of, amounts, liquidity]),
      [[empty.position, { x: 0n, y: 0n }, '0']],
    );
    assert.equal(await reader.openPosition(closed.position), undefined);
  });

  it('Twenty positions take two searches and one read of accounts when they are known, and two reads at first', async () => {
    const me = mainnet().wallet(2);
    const { solUsdc, solUsdcFine, memeSol, tollUsdc, dammSolUsdc, dammMemeSol } = mainnet().pools;
    for (let number = 0; number < 4; number += 1) {
      await solUsdc.open(me, { x: SOL, y: 150n * USDC, bins: [-30 + number, 30] });
      await solUsdcFine.open(me, { x: SOL, y: 150n * USDC, bins: [-20, 20 + number] });
      await memeSol.open(me, { y: SOL, bins: [-40, -1] });
      await tollUsdc.open(me, { y: USDC, bins: [-10, -1] });
      await (number % 2 === 0 ? dammSolUsdc.open(me, { x: SOL }) : dammMemeSol.open(me, { y: SOL }));
    }
    const { reader } = connected();
    let open: readonly OnchainPosition[] = [];
    const read = async (): Promise<void> => {
      ({ positions: open } = await reader.openPositions(me.address));
    };
    const searches = { getProgramAccounts: 1, getTokenAccountsByOwner: 1 };
    assert.deepEqual(Object.fromEntries(await mainnet().countCalls(read)), { ...searches, getMultipleAccounts: 2 });
    assert.equal(open.length, 20);
    const first = open;
    assert.deepEqual(Object.fromEntries(await mainnet().countCalls(read)), { ...searches, getMultipleAccounts: 1 });
    assert.deepEqual(open, first);
  });

  it('A position is read from its present account, whatever was read before', async () => {
    const me = mainnet().wallet(3);
    const { solUsdc } = mainnet().pools;
    const { position } = await solUsdc.open(me, { x: SOL, y: 150n * USDC, bins: [-10, 10] });
    const { reader } = connected();
    const { positions: before } = await reader.openPositions(me.address);
    await solUsdc.add(me, position, { x: SOL, y: 150n * USDC, bins: [-10, 10] });
    await trade([solUsdc]);
    const { positions: after } = await reader.openPositions(me.address);
    assert.notDeepEqual(after, before);
    assert.deepEqual(after, [await asTheSdkSays(known(after[0]))]);
  });

  it('Where the RPC refuses to search accounts, positions come from the history, and this is logged once', async () => {
    const me = mainnet().wallet(4);
    const { solUsdc, dammSolUsdc } = mainnet().pools;
    const dlmm = await solUsdc.open(me, { x: SOL, bins: [1, 10] });
    const gone = await solUsdc.open(me, { x: SOL, bins: [1, 10] });
    const damm = await dammSolUsdc.open(me, { x: SOL });
    await solUsdc.close(me, gone.position);
    const history = [dlmm.position, gone.position].map((position) => indexed(position, solUsdc, me));
    for (const how of [undefined, 'gone'] as const) {
      mainnet().faults.refuse('getProgramAccounts', how);
      const { reader, log } = connected(history);
      const read = async (): Promise<void> => {
        const { positions: open } = await reader.openPositions(me.address);
        // The history may be behind: the account decides that a position is open.
        assert.deepEqual(sorted(open.map(({ address: of }) => of)), sorted([dlmm.position, damm.position]));
      };
      assert.equal((await mainnet().countCalls(read)).get('getProgramAccounts'), 1);
      assert.equal((await mainnet().countCalls(read)).get('getProgramAccounts'), undefined, 'it is not asked again at once');
      assert.equal(log.length, 1);
      assert.match(known(log[0]), /does not search accounts/);
      mainnet().faults.clear();
    }
  });

  it('A history that is not complete is named in the log, because the list may lack positions', async () => {
    const me = mainnet().wallet(5);
    mainnet().faults.refuse('getProgramAccounts');
    const { reader, log } = connected([], { state: 'indexing', left: 7 });
    for (let count = 0; count < 2; count += 1) {
      const { positions, history } = await reader.openPositions(me.address);
      assert.deepEqual([positions, history?.state, history?.left], [[], 'indexing', 7]);
    }
    assert.equal(log.length, 2);
    assert.match(known(log[1]), /may be missing from the list: the history is still being read/);
  });

  it('A single position is read by its address, and its owner is the present holder of the NFT', async () => {
    const [me, other] = [mainnet().wallet(6), mainnet().wallet(7)];
    const { solUsdc, dammSolUsdc } = mainnet().pools;
    const { position } = await solUsdc.open(me, { x: SOL, bins: [1, 5] });
    const damm = await dammSolUsdc.open(me, { x: SOL });
    const { reader } = connected();
    assert.deepEqual(
      await reader.openPosition(position),
      (await reader.openPositions(me.address)).positions.find(({ program }) => program === 'dlmm'),
    );
    assert.equal((await reader.openPosition(damm.position))?.owner, me.address);
    moveNft(await nftOf(damm.position), me, other);
    assert.equal((await reader.openPosition(damm.position))?.owner, other.address);
    assert.deepEqual(
      (await reader.openPositions(other.address)).positions.map(({ address: of }) => of),
      [damm.position],
    );
    assert.equal(await reader.openPosition(solUsdc.address), undefined, 'a pool is not a position');
    assert.equal(await reader.openPosition(me.address), undefined);
  });

  it('An RPC that lacks an account of a position is an error, never a smaller amount', async () => {
    const me = mainnet().wallet(8);
    await mainnet().pools.solUsdc.open(me, { x: SOL, bins: [1, 10] });
    const { reader } = connected();
    mainnet().faults.add({ kind: 'null' }, { method: 'getMultipleAccounts' });
    await assert.rejects(reader.openPositions(me.address));
  });

  /** Sells both tokens in turn, so that fees accrue on both sides. */
  async function trade(pools: readonly LittlePool[]): Promise<void> {
    for (const pool of pools) {
      const sol = pool.x.symbol === 'SOL' ? SOL : 10n ** BigInt(pool.x.decimals) * 50n;
      await pool.swap(trader(), 'x', sol);
      await pool.swap(trader(), 'y', pool.y.symbol === 'SOL' ? SOL / 4n : 70n * USDC);
    }
  }

  function connected(
    history: readonly IndexedPosition[] = [],
    progress: Partial<IndexProgress> = {},
  ): { readonly reader: ChainPositionReader; readonly log: string[] } {
    const log: string[] = [];
    const rpc = createChainRpc({ url: parseRpcUrl(mainnet().rpcUrl), requestsPerSecond: 1_000 });
    const index = {
      catchUp: async (owner: Address): Promise<IndexProgress> => ({
        ...{ owner, state: 'current', transactions: 0, left: 0, prunedBeforeSlot: undefined, error: undefined },
        ...progress,
      }),
      positions: ({ owner }: { readonly owner?: Address }) => history.filter((position) => position.owner === owner),
    };
    return { reader: new ChainPositionReader({ rpc, index, now: () => performance.now(), log: (line) => log.push(line) }), log };
  }

  async function asTheSdkSays(position: OnchainPosition): Promise<OnchainPosition> {
    return position.program === 'dlmm' ? await dlmmBySdk(position) : await dammBySdk(position);
  }

  function connection(): Connection {
    return new Connection(mainnet().rpcUrl, 'confirmed');
  }

  async function dlmmBySdk({ address: of, pool, program }: OnchainPosition): Promise<OnchainPosition> {
    const { positionData: data } = await (await DLMM.create(connection(), new PublicKey(pool))).getPosition(new PublicKey(of));
    return {
      address: of,
      owner: address(data.owner.toBase58()),
      pool,
      program,
      range: { lowerBinId: data.lowerBinId, upperBinId: data.upperBinId },
      amounts: { x: BigInt(data.totalXAmount), y: BigInt(data.totalYAmount) },
      withdrawableShare: 1,
      unclaimedFees: { x: big(data.feeX), y: big(data.feeY) },
      rewards: [],
      liquidity: data.positionBinData.reduce((sum, bin) => sum + BigInt(bin.positionLiquidity), 0n).toString(),
    };
  }

  async function dammBySdk({ address: of, pool, program, owner }: OnchainPosition): Promise<OnchainPosition> {
    const sdk = new CpAmm(connection());
    const [state, position] = [await sdk.fetchPoolState(new PublicKey(pool)), await sdk.fetchPositionState(new PublicKey(of))];
    const liquidity = position.unlockedLiquidity.add(position.vestedLiquidity).add(position.permanentLockedLiquidity);
    const { outAmountA, outAmountB } = sdk.getWithdrawQuote({
      liquidityDelta: liquidity,
      sqrtPrice: state.sqrtPrice,
      minSqrtPrice: state.sqrtMinPrice,
      maxSqrtPrice: state.sqrtMaxPrice,
      collectFeeMode: state.collectFeeMode,
      tokenAAmount: state.tokenAAmount,
      tokenBAmount: state.tokenBAmount,
      liquidity: state.liquidity,
    });
    const { feeTokenA, feeTokenB } = getUnClaimLpFee(state, position);
    return {
      address: of,
      owner,
      pool: address(position.pool.toBase58()),
      program,
      range: undefined,
      amounts: { x: big(outAmountA), y: big(outAmountB) },
      withdrawableShare: Number(position.unlockedLiquidity) / Number(liquidity),
      unclaimedFees: { x: big(feeTokenA), y: big(feeTokenB) },
      rewards: [],
      liquidity: liquidity.toString(),
    };
  }

  /** Locks a quarter of a position's liquidity for ever, and lets another one vest. */
  async function lockHalf(position: Address, { address: pool }: LittlePool, { keypair }: Wallet): Promise<void> {
    const sdk = new CpAmm(mainnet().sender.connection);
    const { nftMint, unlockedLiquidity } = await sdk.fetchPositionState(new PublicKey(position));
    const quarter = unlockedLiquidity.divn(4);
    const keys = {
      owner: keypair.publicKey,
      position: new PublicKey(position),
      positionNftAccount: derivePositionNftAccount(nftMint),
      pool: new PublicKey(pool),
    };
    const permanent = await sdk.permanentLockPosition({ ...keys, unlockedLiquidity: quarter });
    const vesting = await sdk.lockPosition({
      ...keys,
      payer: keypair.publicKey,
      innerPosition: true,
      cliffPoint: new BN(mainnet().chain.blockTime() + 3_600),
      periodFrequency: new BN(3_600),
      cliffUnlockLiquidity: quarter.subn(1),
      liquidityPerPeriod: new BN(1),
      numberOfPeriod: 1,
    });
    mainnet().sender.send([permanent, vesting], [keypair]);
  }

  async function nftOf(position: Address): Promise<Address> {
    return address((await new CpAmm(connection()).fetchPositionState(new PublicKey(position))).nftMint.toBase58());
  }

  function moveNft(nft: Address, from: Wallet, to: Wallet): void {
    const [mint, program] = [new PublicKey(nft), new PublicKey(PROGRAMS.token2022)];
    const account = getAssociatedTokenAddressSync(mint, to.keypair.publicKey, false, program);
    const holder = new PublicKey(dammPositionNftAccount(nft));
    const transaction = new Transaction().add(
      createAssociatedTokenAccountInstruction(from.keypair.publicKey, account, to.keypair.publicKey, mint, program),
      createTransferInstruction(holder, account, from.keypair.publicKey, 1, [], program),
    );
    mainnet().sender.send([transaction], [from.keypair]);
  }
});

function indexed(position: Address, pool: LittlePool, { address: owner }: Wallet): IndexedPosition {
  return {
    address: position,
    pool: pool.address,
    program: 'dlmm',
    owner,
    range: undefined,
    strategy: undefined,
    closed: false,
    complete: true,
    hasClaimedRewards: false,
    events: [],
  };
}

function big(number: { toString(): string }): bigint {
  return BigInt(number.toString());
}

function sorted(texts: readonly string[]): readonly string[] {
  return [...texts].sort();
}

function known<Value>(value: Value | undefined): Value {
  assert.ok(value !== undefined);
  return value;
}
