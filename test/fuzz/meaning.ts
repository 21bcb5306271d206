import { MessageV1, VersionedTransaction } from '@solana/web3.js';
import { exchanges, mintsOf, poolFieldsOf } from '../../src/review/intents';
import type { AddLiquidityIntent, Intent, ZapInIntent } from '../../src/review/types';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import { address, addressFromBytes, type Address } from '../../src/base/solana/address';
import { verifyEd25519 } from '../../src/base/solana/ed25519';
import { JITO_TIP_ACCOUNTS, PROGRAMS, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { anchorCoder, dammCoder, type AnchorCoder } from '../support/base/solana/packages';

// Checks what an allowed transaction does, independently of the review: bytes with @solana/web3.js, instructions of Meteora with Anchor's
// coder over the IDLs, the rest by the account indexes and offsets that the programs define.

const TIP_CAP = 10_000_000n;
const FEE_CAP = 10_000_000n;
const MAX_UNITS = 1_400_000n;
const BPS = 10_000n;
/** How far a price may be from the shown one besides the slippage tolerance. */
const PRICE_TOLERANCE_BPS = 200n;
const SIGNATURE_BYTES = 64;

/** Account indexes in DLMM instructions: sources and destinations of tokens and SOL, the pool, and the position. */
const DLMM: Readonly<
  Record<string, { readonly own: readonly number[]; readonly owner: readonly number[]; readonly pool?: number; readonly position?: number }>
> = {
  remove_liquidity_by_range2: { own: [3, 4], owner: [9], pool: 1, position: 0 },
  claim_fee2: { own: [5, 6], owner: [2], pool: 0, position: 1 },
  close_position2: { own: [], owner: [1, 2], position: 0 },
  close_position_if_empty: { own: [], owner: [1, 2], position: 0 },
  initialize_position2: { own: [], owner: [0, 3], pool: 2, position: 1 },
  increase_position_length: { own: [], owner: [0, 3], pool: 1, position: 2 },
  increase_position_length2: { own: [], owner: [0, 3], pool: 1, position: 2 },
  initialize_bin_array: { own: [], owner: [2], pool: 0 },
  add_liquidity_by_strategy2: { own: [3, 4], owner: [9], pool: 1, position: 0 },
  add_liquidity_by_weight2: { own: [3, 4], owner: [9], pool: 1, position: 0 },
};

/** The same for DAMM v2. */
const DAMM: typeof DLMM = {
  add_liquidity: { own: [2, 3], owner: [9], pool: 0, position: 1 },
  claim_position_fee: { own: [3, 4], owner: [10], pool: 1, position: 2 },
  close_position: { own: [], owner: [5, 6], pool: 2, position: 3 },
  create_position: { own: [], owner: [0, 6], pool: 3, position: 4 },
  remove_all_liquidity: { own: [3, 4], owner: [10], pool: 1, position: 2 },
  remove_liquidity: { own: [3, 4], owner: [10], pool: 1, position: 2 },
};

/** The transaction to check, and the owners of its accounts. */
interface Scene {
  readonly intent: Intent;
  readonly bytes: Uint8Array;
  /** The contents of the lookup tables. */
  readonly tables: ReadonlyMap<Address, readonly Address[]>;
  /** Accounts that instructions may name as the position. */
  readonly positions: readonly Address[];
  /** The transaction was reviewed together with all others of its operation. */
  readonly isWhole?: boolean;
}

/** Finds the effects of transactions; keeps the coders, which are slow to build. */
export class Meaning {
  readonly #coders = { dlmm: anchorCoder(), damm: dammCoder() };

  /** Names the effects of one transaction, landed alone, that the intent does not cover; empty if it is harmless. */
  harm(scene: Scene): string[] {
    return new Inspection(scene, this.#coders).harm();
  }
}

/** One instruction with its resolved accounts. */
interface Call {
  readonly at: (place: number) => Address | undefined;
  readonly places: readonly number[];
  readonly data: Buffer;
}

class Inspection {
  readonly #found: string[] = [];
  readonly #message: VersionedTransaction['message'];
  readonly #keys: readonly (Address | undefined)[];
  /** The owner's token accounts with their mints. */
  readonly #own: ReadonlyMap<Address, Address>;
  readonly #wrapped: Address;
  /** Positions that this transaction has opened so far. */
  readonly #opened: Address[] = [];
  #tips = 0n;
  #units = MAX_UNITS;
  #price = 0n;
  #spent = 0n;
  /** Raw units that swaps take, of all tokens. */
  #sold = 0n;
  #wrapping = 0n;
  /** Raw units of tokens other than SOL that go into positions, by mint. */
  readonly #deposited = new Map<Address, bigint>();

  readonly #scene: Scene;
  readonly #coders: { readonly dlmm: AnchorCoder; readonly damm: AnchorCoder };

  constructor(scene: Scene, coders: { readonly dlmm: AnchorCoder; readonly damm: AnchorCoder }) {
    this.#scene = scene;
    this.#coders = coders;

    const { owner } = scene.intent;
    const transaction = VersionedTransaction.deserialize(scene.bytes);
    this.#message = transaction.message;
    this.#keys = this.#accounts();
    const mints = [...new Set([WRAPPED_SOL_MINT, ...mintsNamedIn(scene.intent), ...this.#keys].filter((mint) => mint !== undefined))];
    this.#own = new Map(
      mints.flatMap((mint) =>
        [PROGRAMS.token, PROGRAMS.token2022].map((program) => [associatedTokenAddress(owner, mint, program), mint] as const),
      ),
    );
    this.#wrapped = associatedTokenAddress(owner, WRAPPED_SOL_MINT);
    this.#checkSigners(transaction.signatures);
  }

  harm(): string[] {
    for (const { programIdIndex, accountKeyIndexes, data } of this.#message.compiledInstructions) {
      this.#inspect(this.#keys[programIdIndex], {
        at: (place) => this.#keys[accountKeyIndexes[place] ?? NO_INDEX],
        places: accountKeyIndexes,
        data: Buffer.from(data),
      });
    }
    const { intent } = this.#scene;
    const fee = this.#priorityFee() + 5_000n * BigInt(this.#message.header.numRequiredSignatures);
    this.#foundIf(this.#tips > TIP_CAP || fee > FEE_CAP, 'tips or fees above their caps');
    this.#foundIf(intent.kind === 'zapIn' && this.#spent * 100n > intent.inputLamports * 101n, `${this.#spent} lamports spent`);
    if (exchanges(intent)) {
      const asked = intent.kind === 'swap' ? intent.amountRaw : 0n;
      this.#foundIf(this.#sold > asked, `${this.#sold} raw units sold, of ${asked}`);
      this.#foundIf(this.#wrapping > (intent.kind === 'swap' && intent.inputMint === WRAPPED_SOL_MINT ? asked : 0n), 'more SOL wrapped');
    }
    if (intent.kind === 'zapIn' && intent.tokens !== undefined) {
      for (const [mint, raw] of this.#deposited) {
        const chosen = intent.tokens.filter((token) => token.mint === mint).reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
        this.#foundIf(raw * 100n > chosen * 101n, `${raw} of ${mint} deposited`);
      }
    }
    if (intent.kind === 'zapIn' && intent.tokens === undefined && this.#scene.isWhole === true) {
      for (const [mint, raw] of this.#deposited) {
        // The input and its tolerance of 1%, at the shown price, and a tenth more: this transaction may land without the swap.
        const most = this.#worth(WRAPPED_SOL_MINT, mint, (intent.inputLamports * 101n) / 100n);
        this.#foundIf(most !== undefined && raw * 10n > most * 11n, `${raw} of ${mint} deposited, the input is worth ${most}`);
      }
    }
    return this.#found;
  }

  /** The amount at the shown price; `undefined`: none was shown. */
  #worth(sold: Address, bought: Address, amount: bigint): bigint | undefined {
    const shown = this.#scene.intent.references?.find(({ inMint, outMint }) => inMint === sold && outMint === bought);
    return shown && (amount * shown.outAmountRaw) / shown.inAmountRaw;
  }

  /** Lamports. In v1 it is a total in the config, and Compute Budget instructions have no effect. */
  #priorityFee(): bigint {
    const message = this.#message;
    if (!(message instanceof MessageV1)) {
      const units = this.#units < MAX_UNITS ? this.#units : MAX_UNITS;
      return (units * this.#price + 999_999n) / 1_000_000n;
    }
    const { priorityFee, computeUnitLimit, loadedAccountsDataSizeLimit } = message.transactionConfig;
    this.#foundIf((computeUnitLimit ?? 0) === 0 || (loadedAccountsDataSizeLimit ?? 0) === 0, 'nothing but a fee');
    return BigInt(priorityFee ?? 0);
  }

  /** Static accounts first, then those from tables, in the order of the message format. */
  #accounts(): (Address | undefined)[] {
    const tableAccounts = this.#message.addressTableLookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => {
      const content = this.#scene.tables.get(address(accountKey.toBase58())) ?? [];
      return { writable: writableIndexes.map((index) => content[index]), readonly: readonlyIndexes.map((index) => content[index]) };
    });
    return [
      ...this.#message.staticAccountKeys.map((key) => addressFromBytes(key.toBytes())),
      ...tableAccounts.flatMap(({ writable }) => writable),
      ...tableAccounts.flatMap(({ readonly }) => readonly),
    ];
  }

  #checkSigners(signatures: readonly Uint8Array[]): void {
    const content =
      this.#message instanceof MessageV1 ? this.#scene.bytes.slice(0, -SIGNATURE_BYTES * signatures.length) : this.#message.serialize();
    this.#foundIf(this.#keys[0] !== this.#scene.intent.owner, 'another wallet pays');
    this.#message.staticAccountKeys.slice(0, this.#message.header.numRequiredSignatures).forEach((signer, slot) => {
      const signature = signatures[slot];
      const isOwner = this.#keys[slot] === this.#scene.intent.owner;
      this.#foundIf(
        !isOwner && (signature === undefined || !verifyEd25519(signer.toBytes(), content, signature)),
        `${signer.toBase58()} has not signed`,
      );
    });
  }

  #inspect(program: Address | undefined, call: Call): void {
    switch (program) {
      case PROGRAMS.system:
        this.#inspectSystem(call);
        return;
      case PROGRAMS.computeBudget:
        this.#units = call.data[0] === 2 ? BigInt(call.data.readUInt32LE(1)) : this.#units;
        this.#price = call.data[0] === 3 ? call.data.readBigUInt64LE(1) : this.#price;
        return;
      case PROGRAMS.token:
      case PROGRAMS.token2022:
        this.#inspectToken(call);
        return;
      case PROGRAMS.associatedToken:
        this.#foundIf(call.at(2) !== this.#scene.intent.owner || (call.data[0] ?? 0) > 1, 'a token account for another wallet');
        this.#foundIf(
          !this.#hasPart(call.at(1), call.at(3)),
          `a token account of ${call.at(3) ?? 'nothing'}, which the operation does not use`,
        );
        return;
      case PROGRAMS.jupiterV6:
        this.#inspectRoute(call);
        return;
      case PROGRAMS.dlmm:
        this.#inspectMeteora(call, this.#coders.dlmm, DLMM);
        return;
      case PROGRAMS.dammV2:
        this.#inspectMeteora(call, this.#coders.damm, DAMM);
        return;
      case PROGRAMS.memo:
      case PROGRAMS.memoV1:
        this.#foundIf(
          call.places.some((place) => this.#keys[place] === this.#scene.intent.owner),
          'a text that the wallet signs',
        );
        return;
      default:
        this.#found.push(`the program ${program ?? 'unknown'}`);
    }
  }

  /** The mint is one of the pool or wrapped SOL, or an instruction that may move tokens names it or its account. */
  #hasPart(account: Address | undefined, mint: Address | undefined): boolean {
    const others = this.#message.compiledInstructions.filter(
      ({ programIdIndex }) => !WITHOUT_TOKENS.some((program) => program === this.#keys[programIdIndex]),
    );
    const named = others.flatMap(({ accountKeyIndexes }) => accountKeyIndexes.map((index) => this.#keys[index]));
    return (
      mint === undefined ||
      [WRAPPED_SOL_MINT, ...mintsNamedIn(this.#scene.intent), ...named].some(
        (one) => one === mint || (account !== undefined && one === account),
      )
    );
  }

  #inspectSystem({ at, data }: Call): void {
    const [from, to] = [at(0), at(1)];
    const { owner } = this.#scene.intent;
    if (data.readUInt32LE(0) !== SYSTEM_TRANSFER) {
      this.#found.push(`System instruction ${data.readUInt32LE(0)}`);
    } else if (from === owner && to !== owner && to !== this.#wrapped) {
      this.#foundIf(to === undefined || !JITO_TIP_ACCOUNTS.includes(to), `SOL for ${to ?? 'an unknown account'}`);
      this.#tips += data.readBigUInt64LE(4);
    } else if (from === owner && to === this.#wrapped) {
      this.#wrapping += data.readBigUInt64LE(4);
    }
  }

  #inspectToken({ at, data }: Call): void {
    const opcode = data[0] ?? -1;
    if (opcode === TOKEN.transfer || opcode === TOKEN.transferChecked) {
      this.#checkOwned(at(opcode === TOKEN.transfer ? 1 : 2), 'tokens for');
    } else if (opcode === TOKEN.closeAccount) {
      this.#foundIf(at(1) !== this.#scene.intent.owner, `a closed account's SOL for ${at(1) ?? 'an unknown account'}`);
      this.#foundIf(exchanges(this.#scene.intent) && at(0) !== this.#wrapped, `${at(0) ?? 'an unknown account'} is closed`);
    } else {
      this.#foundIf(!HARMLESS_TOKEN.includes(opcode), `Token instruction ${opcode}`);
    }
  }

  #inspectRoute({ at, data }: Call): void {
    if (data.subarray(0, 8).toString('hex') !== ROUTE) {
      this.#found.push('a Jupiter instruction that is no route');
      return;
    }
    const end = data.length;
    const [sold, quoted, slippageBps, feeBps] = [
      data.readBigUInt64LE(end - 19),
      data.readBigUInt64LE(end - 11),
      data.readUInt16LE(end - 3),
      data[end - 1],
    ];
    this.#checkOwned(at(2), 'sold out of');
    this.#checkOwned(at(3), 'bought for');
    if (at(4) !== PROGRAMS.jupiterV6) {
      this.#checkOwned(at(4), 'bought for');
    }
    const { owner, slippageBps: allowedBps } = this.#scene.intent;
    const isWorthless = (quoted * (BPS - BigInt(slippageBps))) / BPS === 0n;
    this.#foundIf(this.#scene.intent.kind === 'zapIn' && this.#scene.intent.tokens !== undefined, 'a swap although none is requested');
    this.#foundIf(at(1) !== owner || slippageBps > allowedBps || feeBps !== 0 || isWorthless, 'a swap with other terms');
    this.#spent += at(2) === this.#wrapped ? sold : 0n;
    this.#sold += sold;
    const [from, to] = [at(2), at(3)].map((account) => account && this.#own.get(account));
    const { intent } = this.#scene;
    this.#foundIf(exchanges(intent) && (intent.kind === 'unwrap' || from !== intent.inputMint || to !== intent.outputMint), 'another swap');
    const worth = from === undefined || to === undefined ? undefined : this.#worth(from, to, sold);
    const mostBps = BPS + BigInt(allowedBps) + PRICE_TOLERANCE_BPS;
    this.#foundIf(worth !== undefined && quoted * BPS > (worth + 1n) * mostBps, `a quote of ${quoted} for ${worth}`);
    const least = (quoted * (BPS - BigInt(slippageBps))) / BPS;
    // A guarantee may be below an allowed quote by the tolerance once more.
    const belowBps = BigInt(allowedBps) > PRICE_TOLERANCE_BPS ? BigInt(allowedBps) : PRICE_TOLERANCE_BPS;
    this.#foundIf(
      worth !== undefined && (least + 1n) * BPS < worth * (BPS - BigInt(allowedBps) - belowBps),
      `${least} guaranteed for ${worth}`,
    );
  }

  #inspectMeteora({ at, data }: Call, coder: AnchorCoder, table: typeof DLMM): void {
    const decoded = coder.decode(data);
    const name = decoded === null ? 'unknown' : snake(decoded.name);
    const places = table[name];
    if (decoded === null || places === undefined) {
      this.#found.push(`the instruction ${name}`);
      return;
    }
    const { intent, positions } = this.#scene;
    places.own.forEach((place) => this.#checkOwned(at(place), name));
    this.#foundIf(
      places.owner.some((place) => at(place) !== intent.owner),
      `${name} for another owner`,
    );
    this.#foundIf(places.pool !== undefined && at(places.pool) !== poolFieldsOf(intent).pool, `${name} in another pool`);
    const position = places.position === undefined ? undefined : at(places.position);
    this.#foundIf(
      places.position !== undefined && (position === undefined || !positions.includes(position)),
      `${name} of another position`,
    );
    if (/^(initialize|create)_position/.test(name) && position !== undefined) {
      this.#opened.push(position);
    }
    this.#foundIf(
      /^add/.test(name) && !this.#opened.some((one) => one === position),
      `${name} to a position that no earlier instruction has opened`,
    );
    const args = snakeKeys(decoded.data);
    this.#checkTerms(name, args);
    const amounts = putInBy(name, args);
    places.own.forEach((place, side) => {
      const account = at(place);
      const mint = account === undefined ? undefined : this.#own.get(account);
      const raw = amounts[side] ?? 0n;
      if (account === this.#wrapped) {
        this.#spent += raw;
      } else if (mint !== undefined && raw > 0n) {
        this.#deposited.set(mint, (this.#deposited.get(mint) ?? 0n) + raw);
      }
    });
  }

  #checkTerms(name: string, args: Fields): void {
    const { intent } = this.#scene;
    if (exchanges(intent)) {
      this.#found.push(`${name} in a swap`);
      return;
    }
    if (intent.kind === 'addLiquidity' && /^(claim|update_fees)/.test(name)) {
      return;
    }
    const isEntering = /^(add|initialize|increase|create)/.test(name);
    this.#foundIf(isEntering !== (intent.kind === 'zapIn' || intent.kind === 'addLiquidity'), `${name} in the wrong direction`);
    if (intent.kind === 'zapOut') {
      this.#foundIf(Number(args['bps_to_remove'] ?? 0) > intent.shareBps, `${name} of more than requested`);
      return;
    }
    if (intent.kind === 'claim') {
      this.#foundIf(!/^(claim|update_fees)/.test(name), `${name} in a claim`);
      return;
    }
    if (name === 'initialize_bin_array') {
      const [index, from, to] = [Number(amount(args['index'])), intent.fromBinId ?? 0, intent.toBinId ?? 0];
      this.#foundIf(
        index < Math.floor(from / BINS_PER_ARRAY) || index > Math.floor(to / BINS_PER_ARRAY),
        `the bin array ${index}, which is outside the range`,
      );
    }
    this.#foundIf(landsElsewhere(args, intent), `${name} at other prices than shown`);
    const shape = fields(fields(args['liquidity_parameter'])['strategy_parameters']);
    if (shape['strategy_type'] === undefined) {
      return;
    }
    const kind = Object.keys(fields(shape['strategy_type']))[0] ?? '';
    const bins = [Number(shape['min_bin_id']), Number(shape['max_bin_id'])];
    this.#foundIf(
      bins.some((bin) => bin < (intent.fromBinId ?? 0) || bin > (intent.toBinId ?? 0)),
      `${name} in other bins`,
    );
    this.#foundIf(!kind.replace('_', '').startsWith((intent.strategy ?? '').toLowerCase()), `${name} in the shape ${kind}`);
  }

  #checkOwned(account: Address | undefined, what: string): void {
    this.#foundIf(account === undefined || !this.#own.has(account), `${what}: ${account ?? 'an unknown account'}`);
  }

  #foundIf(isHarm: boolean, what: string): void {
    if (isHarm) {
      this.#found.push(what);
    }
  }
}

/** The tokens that the user named. */
function mintsNamedIn(intent: Intent): readonly (Address | undefined)[] {
  const { tokenX, tokenY } = poolFieldsOf(intent);
  return [tokenX, tokenY, ...mintsOf(intent)];
}

/** An index after the last account that a transaction can name. */
const NO_INDEX = 256;
const BINS_PER_ARRAY = 70;
const WITHOUT_TOKENS: readonly Address[] = [
  PROGRAMS.associatedToken,
  PROGRAMS.system,
  PROGRAMS.computeBudget,
  PROGRAMS.memo,
  PROGRAMS.memoV1,
];
const SYSTEM_TRANSFER = 2;
const TOKEN = { transfer: 3, closeAccount: 9, transferChecked: 12 } as const;
/** Revoke, SyncNative, GetAccountDataSize, InitializeImmutableOwner, and the two that only calculate. */
const HARMLESS_TOKEN: readonly number[] = [5, 17, 21, 22, 23, 24];
/** The discriminator of Jupiter's `route`. */
const ROUTE = 'e517cb977ae3ad2a';

type Fields = Readonly<Record<string, unknown>>;

/** The maximum amounts of both tokens that a deposit may take; the first of the owner's two accounts is for token X. */
function putInBy(name: string, args: Fields): readonly bigint[] {
  if (!name.startsWith('add')) {
    return [];
  }
  const parameter = { ...fields(args['liquidity_parameter']), ...fields(args['params']) };
  return [
    amount(parameter['amount_x'] ?? parameter['token_a_amount_threshold']),
    amount(parameter['amount_y'] ?? parameter['token_b_amount_threshold']),
  ];
}

/** Anchor's coder returns 64-bit integers as BN; the checks need their decimal text. */
function amount(value: unknown): bigint {
  return BigInt((value as { toString(): string } | undefined)?.toString() ?? '0');
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Anchor's coder writes names in camel case or snake case, depending on its version. */
function snakeKeys(value: unknown): Fields {
  const isPlain = (one: unknown): boolean => typeof one === 'object' && one !== null && Object.getPrototypeOf(one) === Object.prototype;
  return Object.fromEntries(Object.entries(fields(value)).map(([name, field]) => [snake(name), isPlain(field) ? snakeKeys(field) : field]));
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What a price may move by besides the slippage tolerance, basis points; and by how much listed prices may differ from the pool's. */
const MOVES_BPS = 200;
const LISTED_BPS = 1_000;

/** Whether a deposit lands at prices that are further from the shown one than the review says that it allows. */
function landsElsewhere(args: Fields, intent: ZapInIntent | AddLiquidityIntent): boolean {
  const { active_id: active, max_active_bin_slippage: slippage } = fields(args['liquidity_parameter']);
  const { activeBinId, binStepBps, slippageBps, references = [] } = intent;
  if (active !== undefined && activeBinId !== undefined && binStepBps !== undefined) {
    const most = Math.ceil((slippageBps + MOVES_BPS) / binStepBps) + 1;
    return Math.abs(Number(active) - activeBinId) + Math.abs(Number(slippage)) > most;
  }
  const { liquidity_delta: liquidity, token_a_amount_threshold: mostX, token_b_amount_threshold: mostY } = fields(args['params']);
  const shown = references.find(({ inMint, outMint }) => inMint === intent.tokenY && outMint === intent.tokenX);
  if (liquidity === undefined || shown === undefined) {
    return false;
  }
  const price = Number(shown.inAmountRaw) / Number(shown.outAmountRaw);
  const whole = Number(amount(liquidity)) / 2 ** 64;
  const [lowest, highest] = [(whole / Number(amount(mostX))) ** 2, (Number(amount(mostY)) / whole) ** 2];
  const tolerance = (slippageBps + MOVES_BPS + LISTED_BPS) / 10_000 + 1e-6;
  return lowest < price * (1 - tolerance) || highest > price * (1 + tolerance);
}
