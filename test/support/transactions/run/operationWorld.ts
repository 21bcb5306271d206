import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bs58 from 'bs58';
import type { Address } from '../../../../src/base/solana/address';
import { RentRate } from '../../../../src/base/solana/rent';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { type Base64Transaction, bytesFromBase64, parseTransaction } from '../../../../src/base/solana/wireTransaction';
import type { SignatureStatus, SolanaRpc } from '../../../../src/rpc/types';
import { ServiceError } from '../../../../src/service/errors';
import type { OpenPosition } from '../../../../src/service/positions';
import type { LiquidityService } from '../../../../src/service/service';
import type { AddRequest } from '../../../../src/service/transactions';
import type { JournalEvent } from '../../../../src/transactions/journal/types';
import { fakeService } from '../../portfolio/fixtures';
import {
  addByStrategy,
  addressOf,
  base64Of,
  budget,
  buyToken,
  claim,
  createAta,
  type Draft,
  FROM_BIN,
  honestZapOut,
  keyOf,
  MINT,
  openPosition,
  OWN_SOL,
  OWNER,
  POOL,
  POSITION,
  removal,
  route,
  syncNative,
  tip,
  TO_BIN,
  transferSol,
  unwrap,
} from '../../review/bundles';
import { SIGNATURE, thePosition } from '../harness';
import { type Outside, World } from '../rebalance/rebalanceWorld';

/** What becomes of a bundle that is handed over, and what is said of it. */
export type Outcome =
  | 'lands'
  /** It lands, and the answer is lost. */
  | 'silent'
  /** It lands, and is answered with 502. */
  | 'broken'
  /** It never lands, and no answer comes. */
  | 'lost'
  /** No answer comes, and it lands a minute later, if it still can. */
  | 'late'
  /** It never lands, and the answer says so, truthfully. */
  | 'refused'
  | 'slips'
  | 'expired'
  /** It lands, and the answer says that it was refused, came too late, or is not allowed. */
  | 'refusedLanded'
  | 'slipsLanded'
  | 'expiredLanded'
  | 'forbiddenLanded'
  | 'redirectLanded'
  /** Only its first transaction lands, and the answer says that it came too late. */
  | 'expiredFirst'
  /** It is answered with 429, and lands or does not; the same again has the next outcome. */
  | 'busy'
  | 'busyLanded'
  /** Only the first one, or all but the last one of its transactions land, and the rest is dropped; no answer comes, or it is said to have landed. */
  | 'firstOnly'
  | 'allButLast'
  | 'firstOnlySaid';

/** Everything that may become of one. */
export const OUTCOMES: readonly Outcome[] = [
  'lands',
  'silent',
  'broken',
  'lost',
  'late',
  'refused',
  'slips',
  'expired',
  'refusedLanded',
  'slipsLanded',
  'expiredLanded',
  'forbiddenLanded',
  'redirectLanded',
  'expiredFirst',
  'busy',
  'busyLanded',
  'firstOnly',
  'allButLast',
  'firstOnlySaid',
];

/** What a service built at one time: it lands as a whole, in part or not at all, and whatever landed stays so. */
export interface Bundle {
  /** Which window had it built, in the order in which they were opened. */
  readonly by: number;
  readonly blockhash: Address;
  readonly builtAtMs: number;
  readonly target: Address;
  readonly transactions: number;
  /** The transaction by which the positions show it. */
  readonly showing: number;
  handedOver: number;
  /** The service had too many requests, and may be sent the same again. */
  isBusy: boolean;
  landed: number;
  /** What the one who handed it over was told of it; a refusal tells nothing. */
  known: 'nothing' | 'yes';
  /** What its landed transactions changed in the wallet. */
  lamports: bigint;
}

const FEE = 5_000n;
const RENT = 57_000_000n;
const WORTH = 2_000_000_000n;
const BLOCK_MS = 600;
const VALID_BLOCKS = 150;
const VALID_MS = BLOCK_MS * VALID_BLOCKS;
const ANSWER_MS = 1_500;
const LATE_MS = 60_000;
const FIRST_BLOCK = 1_000;
const DECIMALS_X = 6;

/** One position, one pool and one wallet on a chain that knows every transaction once, and a service whose listings come late. */
export class SingleWorld extends World {
  readonly bundles: Bundle[] = [];
  /** What was done that must not be: told here, since an operation words whatever its service throws. */
  readonly wrongs: string[] = [];
  /** What becomes of what is handed over next; after these, everything lands. */
  outcomes: Outcome[] = [];
  /** By so much the listings are behind. */
  lagMs = 0;
  /** A process that stood still may yet ask for something to be built: it finds out before it hands it over. */
  isWaking = false;
  /** The share of the position that is left, 1 to 0. */
  #left = 1;
  #drafts = new Map<Bundle, readonly ((bundle: Bundle) => void)[]>();
  #statuses = new Map<string, SignatureStatus & { readonly before: bigint; readonly after: bigint }>();
  readonly #startMs = this.clock.now();
  /** What was listed from when on. */
  #listings: { readonly fromMs: number; readonly listed: readonly OpenPosition[] }[] = [];
  /** How many windows were opened. */
  windows = 0;

  static override async make(): Promise<SingleWorld> {
    const world = new SingleWorld(await mkdtemp(join(tmpdir(), 'binsight-operations-')));
    world.#list([thePosition(world.#amounts())]);
    return world;
  }

  override service(outside: Outside): LiquidityService {
    const by = this.windows;
    this.windows += 1;
    return fakeService({
      openPositions: () => outside(() => ({ items: this.#shown(), warnings: [] })),
      tokenBalances: () =>
        outside(() => ({
          items: [
            { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, amountRaw: this.walletLamports, amountText: '0', priceUsd: undefined },
          ],
          warnings: [],
        })),
      buildDecrease: ({ bps }) =>
        outside(() => {
          this.assertOpen();
          const out = this.#zapOut(by, bps);
          const [close, ...swaps] = out;
          assert.ok(close !== undefined);
          return { closeTransactions: [close], swapTransactions: swaps, lastValidBlockHeight: this.#block() + VALID_BLOCKS };
        }),
      buildAdd: (request) =>
        outside(() => {
          const { position, transactions } = this.#zapIn(by, request);
          const swaps = request.mode === 'zap-in' ? 1 : 0;
          return {
            swapTransactions: transactions.slice(0, swaps),
            addTransactions: transactions.slice(swaps),
            lastValidBlockHeight: this.#block() + VALID_BLOCKS,
            meta: {},
            position,
          };
        }),
      landDecrease: ({ closeTransactions, swapTransactions }) => this.#handOver([...closeTransactions, ...swapTransactions], outside),
      landAdd: ({ swapTransactions, addTransactions }) => this.#handOver([...swapTransactions, ...addTransactions], outside),
    });
  }

  override rpc(outside: Outside): SolanaRpc | undefined {
    const unasked = () => Promise.reject(new Error('It was not expected to be asked for that.'));
    return this.hasRpc
      ? {
          name: 'rpc.example',
          accounts: ({ addresses }) =>
            outside(() => ({
              slot: 1n,
              value: addresses.map((one) =>
                one === OWNER ? { lamports: this.walletLamports, program: PROGRAMS.system, data: new Uint8Array() } : undefined,
              ),
            })),
          isBlockhashValid: (blockhash) =>
            outside(() => this.bundles.some((bundle) => bundle.blockhash === blockhash && this.#isFresh(bundle))),
          slotMs: () => outside(() => 400),
          blockHeight: () => outside(() => BigInt(this.#block())),
          rentRate: () => outside(() => RentRate.highest),
          signatureStatuses: (signatures) => outside(() => signatures.map((signature) => this.#statuses.get(signature))),
          transaction: (signature) =>
            outside(() => {
              const known = this.#statuses.get(signature);
              return (
                known && {
                  ...known,
                  feeLamports: FEE,
                  lamports: [{ address: OWNER, before: known.before, after: known.after }],
                  tokens: [],
                }
              );
            }),
          transactionWithCalls: unasked,
          simulate: unasked,
          simulateBundle: unasked,
        }
      : undefined;
  }

  /** Whether something of a bundle may land by what anybody can know who was told nothing of it. */
  mayLand(bundle: Bundle): boolean {
    return (
      bundle.handedOver > 0 &&
      bundle.known === 'nothing' &&
      this.#isFresh(bundle) &&
      (this.hasRpc ? bundle.landed < bundle.transactions : !shows(bundle))
    );
  }

  /** The bundle that an operation of the journal built last. */
  bundleOf(built: Extract<JournalEvent, { kind: 'built' }> | undefined): Bundle | undefined {
    return this.bundles.find(({ blockhash }) => built?.blockhashes.includes(blockhash) === true);
  }

  /** Nothing is begun, and nothing is handed over, where something earlier may still land. */
  #expectFree(target: Address, bundle?: Bundle): void {
    const open = this.bundles.find((other) => other !== bundle && other.target === target && this.mayLand(other));
    this.#expect(open === undefined, `something is begun while what window ${open?.by} handed over may still land`);
  }

  #expect(isSo: boolean, wrong: string): void {
    if (!isSo) {
      this.wrongs.push(wrong);
    }
  }

  #zapOut(by: number, bps: number): readonly Base64Transaction[] {
    const [close, swap, last] = honestZapOut();
    const part: Draft = {
      ...close,
      instructions: [...budget(), createAta(MINT), createAta(WRAPPED_SOL_MINT), removal(bps), claim(), tip()],
    };
    const share = bps / 10_000;
    const takeOut = () => {
      this.#left *= 1 - share;
      this.#list(this.listed.flatMap((one) => (one.address !== POSITION ? [one] : share === 1 ? [] : [{ ...one, ...this.#amounts() }])));
    };
    const bring = (bundle: Bundle) => this.#pay(bundle, BigInt(Math.round(Number(WORTH) * share)));
    return this.#built(
      by,
      POSITION,
      0,
      [share === 1 ? close : part, { ...swap, instructions: [...budget(), createAta(WRAPPED_SOL_MINT), route()] }, last],
      [takeOut, bring, () => undefined],
    );
  }

  #zapIn(by: number, request: AddRequest): { readonly position: Address; readonly transactions: readonly Base64Transaction[] } {
    const name = `position ${this.bundles.length}`;
    const position = addressOf(name);
    const accounts = { position };
    const isSol = request.mode === 'zap-in';
    const lamports = BigInt(Math.round((isSol ? request.inputSol : request.amountY) * 1e9));
    const amountX = isSol ? (lamports * 39n) / 10_000n : BigInt(Math.round(request.amountX * 10 ** DECIMALS_X));
    const amountY = isSol ? lamports / 2n : lamports;
    const wrap = [createAta(WRAPPED_SOL_MINT), createAta(MINT), transferSol(OWN_SOL, lamports), syncNative()];
    const open = [openPosition({}, accounts), addByStrategy({ amountX, amountY, from: FROM_BIN, to: TO_BIN, accounts }), tip()];
    const swap: Draft = { group: 'swap', instructions: [...budget(), ...wrap, buyToken({ in_amount: lamports / 2n })] };
    const add: Draft = { group: 'add', signers: [keyOf(name)], instructions: [...budget(), ...(isSol ? [] : wrap), ...open] };
    const rest: Draft = { group: 'add', instructions: [...budget(), unwrap()] };
    const wrapIt = (bundle: Bundle) => this.#pay(bundle, -lamports);
    const deposit = (bundle: Bundle) => {
      if (!isSol) {
        wrapIt(bundle);
      }
      this.#pay(bundle, -RENT);
      this.#list([
        ...this.listed,
        thePosition({ key: position, address: position, id: position, lowerBinId: request.fromBinId, upperBinId: request.toBinId }),
      ]);
    };
    const nothing = () => undefined;
    const transactions = isSol
      ? this.#built(by, POOL, 1, [swap, add, rest], [wrapIt, deposit, nothing])
      : this.#built(by, POOL, 0, [add, rest], [deposit, nothing]);
    return { position, transactions };
  }

  #built(
    by: number,
    target: Address,
    showing: number,
    drafts: readonly Draft[],
    effects: readonly ((bundle: Bundle) => void)[],
  ): readonly Base64Transaction[] {
    if (!this.isWaking) {
      this.#expectFree(target);
    }
    const blockhash = addressOf(`blockhash ${this.bundles.length}`);
    const bundle: Bundle = {
      by,
      blockhash,
      builtAtMs: this.clock.now(),
      target,
      transactions: drafts.length,
      showing,
      handedOver: 0,
      isBusy: false,
      landed: 0,
      known: 'nothing',
      lamports: 0n,
    };
    this.bundles.push(bundle);
    this.#drafts.set(bundle, effects);
    return drafts.map((draft) => base64Of({ ...draft, blockhash }));
  }

  /** A window hands something over; what it hears of it is known once it has gone on with it. */
  async #handOver(signed: readonly Base64Transaction[], outside: Outside): Promise<{ readonly signature: string }> {
    const parsed = signed.map((base64) => parseTransaction(bytesFromBase64(base64)));
    const bundle = this.bundles.find(({ blockhash }) => parsed.every(({ recentBlockhash }) => recentBlockhash === blockhash));
    this.#expect(signed.length === bundle?.transactions, 'something is handed over that was not built so');
    assert.ok(bundle !== undefined);
    const signatures = parsed.map(({ signatures: [first] }) => bs58.encode(first ?? new Uint8Array()));
    const answer = await outside(() => this.#meet(bundle, signatures));
    if (answer === 'no answer') {
      throw new ServiceError('The connection broke.', { kind: 'unreachable', endpoint: 'POST /x', mayHaveLanded: true });
    }
    if (answer === 'broken') {
      throw new ServiceError('The service failed (502).', { kind: 'server', status: 502, endpoint: 'POST /x', mayHaveLanded: true });
    }
    if (answer !== 'landed') {
      const [status, message] = answer.split(': ');
      throw new ServiceError(`The service answered ${answer}`, {
        kind: status === '429' ? 'rateLimited' : 'rejected',
        status: Number(status),
        serviceMessage: message ?? '',
        endpoint: 'POST /x',
        mayHaveLanded: true,
      });
    }
    bundle.known = 'yes';
    return { signature: SIGNATURE };
  }

  async #meet(bundle: Bundle, signatures: readonly string[]): Promise<string> {
    this.#expectFree(bundle.target, bundle);
    bundle.handedOver += 1;
    this.#expect(bundle.handedOver === 1 || bundle.isBusy, 'something is handed over twice');
    bundle.isBusy = false;
    await new Promise<void>((resolve) => this.clock.after(ANSWER_MS, resolve));
    // The network takes nothing whose blockhash is gone.
    const outcome = this.#isFresh(bundle) ? (this.outcomes.shift() ?? 'lands') : 'expired';
    const land = (first = bundle.transactions) => this.#land(bundle, signatures.slice(0, first));
    switch (outcome) {
      case 'lands':
        land();
        return 'landed';
      case 'silent':
        land();
        return 'no answer';
      case 'broken':
        land();
        return 'broken';
      case 'lost':
        return 'no answer';
      case 'late':
        this.clock.after(LATE_MS, () => (this.#isFresh(bundle) ? land() : undefined));
        return 'no answer';
      case 'refused':
        return '422: The bundle was refused';
      case 'slips':
        return '400: Slippage exceeded';
      case 'expired':
        return '400: Blockhash not found';
      case 'refusedLanded':
        land();
        return '409: The bundle was refused';
      case 'slipsLanded':
        land();
        return '422: Slippage exceeded';
      case 'expiredLanded':
        land();
        return '400: Blockhash not found';
      case 'forbiddenLanded':
        land();
        return '403: Forbidden';
      case 'redirectLanded':
        land();
        return '307: Temporary Redirect';
      case 'expiredFirst':
        land(1);
        return '400: Blockhash not found';
      case 'busy':
      case 'busyLanded':
        bundle.isBusy = true;
        if (outcome === 'busyLanded') {
          land();
        }
        return '429: Too many requests';
      case 'firstOnly':
        land(1);
        return 'broken';
      case 'allButLast':
        land(bundle.transactions - 1);
        return 'broken';
      case 'firstOnlySaid':
        land(1);
        return 'landed';
    }
  }

  #land(bundle: Bundle, signatures: readonly string[]): void {
    for (const signature of signatures) {
      if (this.#statuses.has(signature)) {
        // The network takes each transaction once.
        continue;
      }
      const before = this.walletLamports;
      this.#drafts.get(bundle)?.[bundle.landed]?.(bundle);
      this.#pay(bundle, -FEE);
      bundle.landed += 1;
      this.#statuses.set(signature, { slot: BigInt(this.#block()), error: undefined, before, after: this.walletLamports });
    }
  }

  #pay(bundle: Bundle, lamports: bigint): void {
    this.walletLamports += lamports;
    bundle.lamports += lamports;
  }

  #amounts(): Partial<OpenPosition> {
    return {
      amount0: 1_000 * this.#left,
      amount1: 0.5 * this.#left,
      price0Usd: 80 * 150,
      price1Usd: 150,
      value: { usd: undefined, native: 2 * this.#left },
    };
  }

  #list(listed: readonly OpenPosition[]): void {
    this.listed = listed;
    this.#listings = [...this.#listings, { fromMs: this.clock.now(), listed }];
  }

  /** The positions as the service has them by now. */
  #shown(): readonly OpenPosition[] {
    const asOfMs = Math.max(this.clock.now() - this.lagMs, this.#startMs);
    return this.#listings.findLast(({ fromMs }) => fromMs <= asOfMs)?.listed ?? [];
  }

  #isFresh({ builtAtMs }: Bundle): boolean {
    return this.clock.now() - builtAtMs <= VALID_MS;
  }

  #block(): number {
    return FIRST_BLOCK + Math.floor((this.clock.now() - this.#startMs) / BLOCK_MS);
  }
}

/** Whether the positions show it, once the listings have caught up. */
export function shows({ landed, showing }: Bundle): boolean {
  return landed > showing;
}
