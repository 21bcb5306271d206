import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/async/emitter';
import { USDC_MINT, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { Portfolio } from '../../../../src/portfolio/portfolio';
import { ReadScheduler } from '../../../../src/portfolio/readScheduler';
import { ServiceError } from '../../../../src/service/errors';
import type { TokenBalance } from '../../../../src/service/tokens';
import { BusyPositions } from '../../../../src/ui/shell/busyPositions';
import { WalletContents } from '../../../../src/ui/walletView/walletContents';
import type { WalletNode } from '../../../../src/ui/walletView/walletRows';
import {
  addressOf,
  fakeService,
  FakeClock,
  openPosition,
  OTHER_OWNER,
  OWNER,
  settledMicrotasks,
} from '../../../support/portfolio/fixtures';
import { fail, NO_PROBLEMS } from '../../../support/ui/memory';
import { REAL, walletWindow } from '../../../support/ui/walletWindow';

function balance(part: Partial<TokenBalance>): TokenBalance {
  return { mint: addressOf(700), symbol: 'BONK', decimals: 5, amountRaw: undefined, amountText: '1', priceUsd: undefined, ...part };
}

const SOL = balance({ mint: WRAPPED_SOL_MINT, symbol: 'SOL', amountText: '12.3456789', priceUsd: 150 });

/** The view over a wallet whose balances the test decides. */
async function walletView({ isVisible = true, isFocused = true, wallets = [OWNER] } = {}) {
  const clock = new FakeClock();
  const { owners } = walletWindow();
  for (const wallet of [...wallets].reverse()) {
    await owners.watch(wallet, REAL);
  }
  const asked: string[] = [];
  const world = {
    balances: [SOL] as readonly TokenBalance[],
    positions: [openPosition(1), openPosition(2)],
    error: undefined as Error | undefined,
  };
  const service = fakeService({
    tokenBalances: ({ owner }) => {
      asked.push(owner);
      return world.error === undefined ? Promise.resolve({ items: world.balances, warnings: [] }) : Promise.reject(world.error);
    },
    openPositions: () => Promise.resolve({ items: world.positions, warnings: [] }),
  });
  const portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock });
  portfolio.setOwner(OWNER);
  const busy = new BusyPositions(fail);
  const refreshes = new Emitter<undefined>(fail);
  const rowChanges: boolean[] = [];
  const contents = new WalletContents(
    {
      ...{ portfolio, owners, busy, clock, connect: () => Promise.resolve(service), log: () => undefined },
      coordinator: { scheduler: new ReadScheduler(clock) },
      connection: {
        choice: REAL,
        status: { kind: 'open' },
        onDidChange: () => ({ dispose: () => undefined }),
        onDidChangeStatus: () => ({ dispose: () => undefined }),
      },
      problemInViews: { messageIn: () => undefined, onDidChange: (listener) => NO_PROBLEMS.onDidChange(listener) },
      onDidRefresh: (listener) => refreshes.on(listener),
    },
    (hasOtherRows) => void rowChanges.push(hasOtherRows),
  );
  contents.setVisible(isVisible, isFocused);
  await settledMicrotasks();
  return { contents, clock, owners, world, asked, portfolio, busy, refreshes, rowChanges };
}

const messageOf = ({ message }: WalletContents): string => message ?? '';
const texts = (nodes: readonly WalletNode[]): readonly string[] => nodes.map(({ row }) => `${row.label}: ${row.description}`);

describe('The Wallet view', () => {
  it('The view lists the sum, SOL, the tokens by worth, and last those without a price', async () => {
    const { contents, world, refreshes } = await walletView();
    world.balances = [
      balance({ amountText: '5000', priceUsd: 0.001 }),
      balance({ mint: addressOf(701), symbol: 'SPAM', amountText: '99999999' }),
      balance({ mint: addressOf(702), symbol: 'RICH', amountText: '1', priceUsd: 1e300 }),
      balance({ mint: addressOf(703), symbol: 'GONE', amountText: '0', priceUsd: 1 }),
      balance({ mint: USDC_MINT, symbol: 'USDC', amountText: '250.5', priceUsd: 1 }),
      SOL,
    ];
    refreshes.fire(undefined);
    await settledMicrotasks();
    assert.deepEqual(texts(contents.nodes), [
      'Total: $2,107',
      'SOL: 12.346 · $1,851.85',
      'USDC: 250.5 · $250.50',
      'BONK: 5,000 · $5.00',
      'Without a price: 2',
    ]);
    assert.deepEqual(texts(contents.nodes.at(-1)?.children ?? []), ['RICH: 1 · no price', 'SPAM: 99,999,999 · no price']);
    assert.match(contents.nodes[0]?.tooltip ?? '', /2 tokens without a known price: not in the sum/);
    assert.match(contents.description, /^\w{4}…\w{4} · \$2,107$/);
  });

  it('The row of SOL says how much of it is wrapped and offers to unwrap it, and rows of tokens offer the swap to SOL', async () => {
    const { contents, world, refreshes } = await walletView();
    const menuOf = (): readonly string[] => contents.nodes.map(({ row }) => `${row.description}: ${row.contextValue}`).slice(1);
    world.balances = [
      { ...SOL, wrappedLamports: 500_000_000n },
      balance({ mint: USDC_MINT, symbol: 'USDC', amountText: '250.5', priceUsd: 1 }),
    ];
    refreshes.fire(undefined);
    await settledMicrotasks();
    assert.deepEqual(menuOf(), ['12.346 · $1,851.85 · 0.5 wrapped: token wrapped addressed', '250.5 · $250.50: token swappable addressed']);
    world.balances = [{ ...SOL, wrappedLamports: 0n }];
    refreshes.fire(undefined);
    await settledMicrotasks();
    assert.deepEqual(menuOf(), ['12.346 · $1,851.85: token addressed']);
  });

  it('What is not known is never shown as 0', async () => {
    const { contents, world, refreshes } = await walletView();
    world.balances = [balance({ symbol: undefined })];
    refreshes.fire(undefined);
    await settledMicrotasks();
    const shown = texts(contents.nodes);
    assert.deepEqual(shown.slice(0, 2), ['Total: value unknown', 'SOL: –']);
    assert.ok(shown.every((text) => !/\b0\b/.test(text)));
  });

  it('A token that calls itself SOL is told apart by its mint', async () => {
    const { contents, world, refreshes } = await walletView();
    world.balances = [SOL, balance({ symbol: 'SOL', priceUsd: 1 })];
    refreshes.fire(undefined);
    await settledMicrotasks();
    assert.match(texts(contents.nodes)[2] ?? '', /^"SOL" \(not SOL, but .{9}\): 1 · \$1\.00$/);
  });

  it('The sum names the worth with the open positions once they are known', async () => {
    const { contents, portfolio } = await walletView();
    assert.equal(texts(contents.nodes)[0], 'Total: $1,852');
    await portfolio.refresh('manual', ['positions']);
    assert.equal(texts(contents.nodes)[0], 'Total: $1,852 · with positions $2,052');
  });

  it('The sum is unknown while the worth of the SOL is, and without positions if the value of one is', async () => {
    const { contents, world, refreshes, portfolio } = await walletView();
    const usdc = balance({ mint: USDC_MINT, symbol: 'USDC', amountText: '250.5', priceUsd: 1 });
    const totalWith = async (...balances: readonly TokenBalance[]) => {
      world.balances = [usdc, ...balances];
      refreshes.fire(undefined);
      await settledMicrotasks();
      return texts(contents.nodes)[0];
    };
    assert.equal(await totalWith({ ...SOL, priceUsd: undefined }), 'Total: value unknown');
    assert.doesNotMatch(contents.description, /\$/);
    assert.equal(await totalWith(), 'Total: value unknown');
    assert.equal(await totalWith({ ...SOL, amountText: '0', priceUsd: undefined }), 'Total: $251');
    world.positions = [openPosition(1), openPosition(2, { value: { usd: undefined, native: 1 } })];
    await portfolio.refresh('manual', ['positions']);
    assert.equal(await totalWith(SOL), 'Total: $2,102');
  });

  it('Nothing is read while the view is hidden, and without the focus only what was never read', async () => {
    const hidden = await walletView({ isVisible: false });
    hidden.refreshes.fire(undefined);
    await hidden.clock.advance(3_600_000);
    assert.deepEqual(hidden.asked, []);
    assert.equal(hidden.contents.state, 'loading');
    const unfocused = await walletView({ isFocused: false });
    await unfocused.clock.advance(3_600_000);
    assert.equal(unfocused.asked.length, 1);
    unfocused.contents.setVisible(true, true);
    await settledMicrotasks();
    assert.equal(unfocused.asked.length, 2);
  });

  it('Balances are read every three minutes, and at once after an operation, a refresh, or a position that came or went', async () => {
    const { clock, asked, busy, refreshes, portfolio, world } = await walletView();
    await clock.advance(179_000);
    assert.equal(asked.length, 1);
    await clock.advance(2_000);
    assert.equal(asked.length, 2);
    await busy.during('key', () => Promise.resolve());
    await settledMicrotasks();
    assert.equal(asked.length, 3);
    refreshes.fire(undefined);
    await settledMicrotasks();
    assert.equal(asked.length, 4);
    await portfolio.refresh('manual', ['positions']);
    assert.equal(asked.length, 4);
    world.positions = [openPosition(1)];
    await portfolio.refresh('manual', ['positions']);
    await settledMicrotasks();
    assert.equal(asked.length, 5);
  });

  it('A failure is shown with its reason and a way to try again, and later ones leave the balances with their age', async () => {
    const { contents, world, refreshes } = await walletView({ isVisible: false });
    world.error = new ServiceError('The service returned an error (500).', { kind: 'server', endpoint: 'GET /token/balance' });
    contents.setVisible(true, true);
    await settledMicrotasks();
    assert.match(messageOf(contents), /500/);
    assert.deepEqual(texts(contents.nodes), ['Try Again: ']);
    world.error = undefined;
    refreshes.fire(undefined);
    await settledMicrotasks();
    assert.equal(contents.message, undefined);
    world.error = new ServiceError('The service returned an error (500).', { kind: 'server', endpoint: 'GET /token/balance' });
    refreshes.fire(undefined);
    await settledMicrotasks();
    assert.match(messageOf(contents), /^Last updated \d\d:\d\d:\d\d\. .*500/);
    assert.deepEqual(texts(contents.nodes), ['Total: $1,852', 'SOL: 12.346 · $1,851.85']);
  });

  it('Another wallet replaces the balances at once, and the others are listed by name to switch to', async () => {
    const { contents, owners, asked } = await walletView({ wallets: [OWNER, OTHER_OWNER] });
    await owners.rename(OTHER_OWNER, 'Savings');
    const others = contents.nodes.at(-1);
    assert.deepEqual(
      [others?.row.label, others?.children[0]?.row.label, others?.children[0]?.address],
      ['Other wallets', 'Savings', OTHER_OWNER],
    );
    let atOnce: unknown;
    const subscription = owners.onDidChange(() => (atOnce = [texts(contents.nodes), contents.message]));
    await owners.activate(OTHER_OWNER, REAL);
    subscription.dispose();
    assert.deepEqual(atOnce, [['Other wallets: 1'], 'Loading balances…']);
    await settledMicrotasks();
    assert.deepEqual(asked, [OWNER, OTHER_OWNER]);
    assert.match(contents.description, /^Savings \(.+\) · \$1,852$/);
  });

  it('An unchanged answer changes no row', async () => {
    const { refreshes, rowChanges } = await walletView();
    rowChanges.length = 0;
    refreshes.fire(undefined);
    await settledMicrotasks();
    assert.ok(rowChanges.length > 0 && rowChanges.every((hasOtherRows) => !hasOtherRows));
  });

  it('Without a wallet there is nothing to read', async () => {
    const { contents, asked } = await walletView({ wallets: [] });
    assert.deepEqual([contents.state, contents.nodes.length, contents.description, asked.length], ['noOwner', 0, '', 0]);
  });
});
